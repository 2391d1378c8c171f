import threading
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from webhooks import TOLERANCE_SECONDS, WebhookServer, verify, verify_standard


@pytest.fixture
def received():
    return []


@pytest.fixture
def server(bank, received):
    """A receiver to which the bank sends the returns."""
    with WebhookServer(lambda *delivery: received.append(delivery)) as server:
        webhook = {"url": server.url, "events": ["transaction.status.returned"]}
        server.secret = bank.call("POST", "/v2/webhook", webhook)["secret"]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def pull_and_return(bank):
    payment = bank.pull("40.00")
    bank.settle()
    bank.return_payment(payment["id"], "R01")
    # Answers when every event has been delivered.
    bank.call("POST", "/_sandbox/drain")
    return payment


def test_a_return_arrives_as_an_event(bank, server, received):
    payment = pull_and_return(bank)

    [(event, _, _)] = received
    assert event["event_type"] == "transaction.status.returned"
    assert event["data"]["id"] == payment["id"]
    assert event["data"]["ach"]["return_code"] == "R01"


def test_both_signatures_cover_the_body(bank, server, received):
    pull_and_return(bank)
    [(_, body, headers)] = received

    signature = headers["sd-webhook-sha256-signature"]
    assert verify(server.secret, body, signature)
    assert not verify(server.secret, body + b" ", signature)
    assert not verify("another secret", body, signature)

    assert verify_standard(server.secret, body, headers)
    assert not verify_standard(server.secret, body + b" ", headers)
    assert not verify_standard("another secret", body, headers)
    too_late = time.time() + 2 * TOLERANCE_SECONDS
    assert not verify_standard(server.secret, body, headers, now=too_late)


def test_a_forged_event_is_refused(server, received):
    forged = Request(server.url, b"{}", {"sd-webhook-sha256-signature": "00" * 32})
    with pytest.raises(HTTPError) as refusal:
        urlopen(forged)
    assert refusal.value.code == 401
    assert received == []
