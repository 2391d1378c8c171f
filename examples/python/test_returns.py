import pytest


def test_a_settled_pull_is_returned(bank):
    payment = bank.pull("40.00")
    assert payment["status"] == "originated"

    bank.settle()
    assert bank.transaction(payment["id"])["status"] == "settled"
    assert bank.balance() == "5040.00"

    # R01: the account at the other bank has too little money.
    bank.return_payment(payment["id"], "R01")
    bank.settle()
    returned = bank.transaction(payment["id"])
    assert returned["status"] == "returned"
    assert returned["ach"]["return_code"] == "R01"
    assert bank.balance() == "5000.00"


@pytest.mark.parametrize(("amount", "balance"), [("10.00", "5010.00"), ("20.00", "5020.00")])
def test_each_test_begins_with_the_same_money(bank, amount, balance):
    bank.pull(amount)
    bank.settle()
    assert bank.balance() == balance
