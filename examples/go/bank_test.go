package payments

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

var client = &http.Client{Timeout: time.Minute}

// bank is one sandbox. Give url and apiKey to the code under test.
type bank struct {
	url, apiKey  string
	account      string
	counterparty string
	// problem is why the test failed, for its trace.
	problem string
}

type transaction struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	ACH    struct {
		ReturnCode string `json:"return_code"`
	} `json:"ach"`
}

// newBank opens a sandbox for a test, and deletes it when the test ends.
func newBank(t *testing.T) *bank {
	t.Helper()
	url := os.Getenv("SANDBANK_URL")
	if url == "" {
		url = "http://127.0.0.1:4800"
	}
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	name := "go-" + hex.EncodeToString(random)
	b := &bank{url: url, apiKey: "test_" + name}

	var summary struct {
		Seeded struct {
			Account      string `json:"sub_account_id"`
			Counterparty string `json:"ach_counterparty_id"`
		} `json:"seeded"`
	}
	b.call(t, "GET", "/_sandbox", nil, &summary)
	b.account, b.counterparty = summary.Seeded.Account, summary.Seeded.Counterparty
	t.Cleanup(func() {
		b.traceFailure(t)
		b.call(t, "DELETE", "/_sandbox/sandboxes/"+name, nil, nil)
	})

	// The clock is frozen, so a payment moves only when a test moves it.
	b.call(t, "PUT", "/_sandbox/clock", map[string]string{"mode": "frozen"}, nil)
	return b
}

// call sends body as JSON, unless it is nil, and decodes the answer into result, unless that is nil.
func (b *bank) call(t *testing.T, method, path string, body, result any) {
	t.Helper()
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, b.url+path, content)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("api-key", b.apiKey)
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	// Only the control plane requires the token.
	if token := os.Getenv("SANDBANK_CONTROL_TOKEN"); token != "" && strings.HasPrefix(path, "/_sandbox") {
		request.Header.Set("x-control-token", token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("no answer from a bank at %s: %v\nrun: sandbank exec -- go test ./...", b.url, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s: %s", method, path, response.Status, answer)
	}
	if result != nil {
		if err := json.Unmarshal(answer, result); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
}

// pull pulls money by ACH from the seeded counterparty, as the code under test would.
func (b *bank) pull(t *testing.T, amount string) transaction {
	t.Helper()
	payment := map[string]string{
		"sub_account_id":  b.account,
		"counterparty_id": b.counterparty,
		"amount":          amount,
	}
	var pulled transaction
	b.call(t, "POST", "/v2/payments/ach/pull", payment, &pulled)
	return pulled
}

// settle moves the clock until every payment has arrived.
func (b *bank) settle(t *testing.T) {
	t.Helper()
	b.call(t, "POST", "/_sandbox/clock/settle", nil, nil)
}

// returnPayment makes the other bank return a payment.
func (b *bank) returnPayment(t *testing.T, id, code string) {
	t.Helper()
	path := "/_sandbox/simulate/transactions/" + id + "/return"
	b.call(t, "POST", path, map[string]string{"return_code": code}, nil)
}

func (b *bank) transaction(t *testing.T, id string) (found transaction) {
	t.Helper()
	b.call(t, "GET", "/v2/payments/transaction/"+id, nil, &found)
	return found
}

func (b *bank) balance(t *testing.T) string {
	t.Helper()
	var account struct {
		Available string `json:"available_balance"`
	}
	b.call(t, "GET", "/v2/accounts/sub_account/"+b.account, nil, &account)
	return account.Available
}
