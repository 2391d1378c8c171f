"""The fixture `bank`: a sandbox for each test."""

import json
import os
import re
import sys
import uuid
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

TIMEOUT_SECONDS = 60


class Bank:
    """One sandbox. Give `url` and `api_key` to the code under test."""

    url = os.environ.get("SANDBANK_URL", "http://127.0.0.1:4800").rstrip("/")
    control_token = os.environ.get("SANDBANK_CONTROL_TOKEN")

    def __init__(self, name: str):
        self.api_key = f"test_{name}"
        self.seeded = self.call("GET", "/_sandbox")["seeded"]

    def call(self, method: str, path: str, body=None):
        headers = {"api-key": self.api_key}
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        # Only the control plane requires the token.
        if self.control_token and path.startswith("/_sandbox"):
            headers["x-control-token"] = self.control_token
        request = Request(self.url + path, data, headers, method=method)
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.loads(response.read() or "null")
        except HTTPError as error:
            text = error.read().decode()
            raise AssertionError(f"{method} {path} was answered with {error.code}: {text}") from None

    def write_trace(self, test: str, error: str):
        """Keep what the sandbox holds in one HTML file, and print its path."""
        folder = trace_folder()
        if folder is None:
            print("sandbank: run again with SANDBANK_TRACES=on to keep a trace of this test", file=sys.stderr)
            return
        body = json.dumps({"test": test[:1000], "error": error[:100_000]}).encode()
        headers = {"api-key": self.api_key, "content-type": "application/json"}
        if self.control_token:
            headers["x-control-token"] = self.control_token
        try:
            with urlopen(Request(f"{self.url}/_sandbox/trace", body, headers), timeout=TIMEOUT_SECONDS) as page:
                folder.mkdir(parents=True, exist_ok=True)
                path = folder / f"sandbank-{re.sub('[^A-Za-z0-9]+', '-', test).strip('-')}.html"
                path.write_bytes(page.read())
                print(f"sandbank: the trace of {test} is {path.resolve()}", file=sys.stderr)
        except OSError as problem:
            # The test has failed already, and for another reason.
            print(f"sandbank: no trace of {test} was written: {problem}", file=sys.stderr)

    def pull(self, amount: str):
        """Pull money by ACH from the seeded counterparty, as the code under test would."""
        payment = {
            "sub_account_id": self.seeded["sub_account_id"],
            "counterparty_id": self.seeded["ach_counterparty_id"],
            "amount": amount,
        }
        return self.call("POST", "/v2/payments/ach/pull", payment)

    def settle(self):
        """Move the clock until every payment has arrived."""
        self.call("POST", "/_sandbox/clock/settle")

    def return_payment(self, transaction_id: str, return_code: str):
        """Make the other bank return a payment."""
        path = f"/_sandbox/simulate/transactions/{transaction_id}/return"
        self.call("POST", path, {"return_code": return_code})

    def transaction(self, transaction_id: str):
        return self.call("GET", f"/v2/payments/transaction/{transaction_id}")

    def balance(self) -> str:
        account = self.call("GET", f"/v2/accounts/sub_account/{self.seeded['sub_account_id']}")
        return account["available_balance"]


def trace_folder():
    """The folder of traces: on where CI is set; SANDBANK_TRACES names another folder or is off."""
    named = os.environ.get("SANDBANK_TRACES")
    if named is None:
        named = "on" if os.environ.get("CI", "") not in ("", "0", "false") else "off"
    if named.lower() in ("", "0", "off", "false", "no"):
        return None
    return Path("sandbank-traces" if named.lower() in ("on", "1", "true", "yes") else named)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" and report.failed:
        item.failure = report.longreprtext


@pytest.fixture(scope="session", autouse=True)
def running_bank():
    try:
        urlopen(f"{Bank.url}/readyz", timeout=TIMEOUT_SECONDS).close()
    except URLError as error:
        pytest.exit(f"No bank at {Bank.url} ({error.reason}). Run: sandbank exec -- pytest", returncode=1)


@pytest.fixture
def bank(request):
    name = f"pytest-{uuid.uuid4()}"
    bank = Bank(name)
    # The clock is frozen, so a payment moves only when a test moves it.
    bank.call("PUT", "/_sandbox/clock", {"mode": "frozen"})
    yield bank
    failure = getattr(request.node, "failure", None)
    if failure is not None:
        bank.write_trace(request.node.nodeid, failure)
    bank.call("DELETE", f"/_sandbox/sandboxes/{name}")
