// A bank in a container. It needs Docker and the image: docker build --tag sandbank . in Sandbank's folder.
package payments

import (
	"context"
	"net/http"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func TestABankInAContainerListsItsAccounts(t *testing.T) {
	ctx := context.Background()
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        "sandbank",
			ExposedPorts: []string{"4800/tcp"},
			Env:          map[string]string{"SANDBANK_RAILS": "manual", "SANDBANK_DATA": ""},
			WaitingFor:   wait.ForHealthCheck(),
		},
		Started: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := container.Terminate(ctx); err != nil {
			t.Error(err)
		}
	})
	url, err := container.PortEndpoint(ctx, "4800/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v2/accounts/sub_account", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("api-key", "test_default")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the bank answers %d", response.StatusCode)
	}
}
