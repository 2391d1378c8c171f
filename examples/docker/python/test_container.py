"""A bank in a container. It needs Docker and the image: `docker build --tag sandbank .` in Sandbank's folder."""

import json
from urllib.request import Request, urlopen

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.waiting_utils import wait_for_logs

PORT = 4800


@pytest.fixture(scope="module")
def url():
    container = (
        DockerContainer("sandbank")
        .with_exposed_ports(PORT)
        .with_env("SANDBANK_RAILS", "manual")
        .with_env("SANDBANK_DATA", "")
    )
    with container:
        wait_for_logs(container, "listening")
        yield f"http://{container.get_container_host_ip()}:{container.get_exposed_port(PORT)}"


def test_a_bank_in_a_container_lists_its_accounts(url):
    request = Request(f"{url}/v2/accounts/sub_account", headers={"api-key": "test_default"})
    with urlopen(request, timeout=60) as response:
        assert json.load(response)["data"]
