package payments

import "testing"

func TestSettledPullIsReturned(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	payment := b.pull(t, "40.00")

	b.settle(t)
	if got := b.transaction(t, payment.ID); got.Status != "settled" {
		t.Fatalf("after the settlement: %+v", got)
	}
	if got := b.balance(t); got != "5040.00" {
		b.errorf(t, "balance after the settlement = %s, want 5040.00", got)
	}

	// R01: the account at the other bank has too little money.
	b.returnPayment(t, payment.ID, "R01")
	b.settle(t)
	if got := b.transaction(t, payment.ID); got.Status != "returned" || got.ACH.ReturnCode != "R01" {
		b.errorf(t, "after the return: %+v", got)
	}
	if got := b.balance(t); got != "5000.00" {
		b.errorf(t, "balance after the return = %s, want 5000.00", got)
	}
}

func TestEachTestBeginsWithTheSameMoney(t *testing.T) {
	for amount, want := range map[string]string{"10.00": "5010.00", "20.00": "5020.00"} {
		amount, want := amount, want
		t.Run(amount, func(t *testing.T) {
			t.Parallel()
			b := newBank(t)
			b.pull(t, amount)
			b.settle(t)
			if got := b.balance(t); got != want {
				b.errorf(t, "balance = %s, want %s", got, want)
			}
		})
	}
}
