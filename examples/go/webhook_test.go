package payments

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// delivery is a request as it arrived.
type delivery struct {
	header http.Header
	body   []byte
}

// receiver is the handler under test, at an address to which the bank sends the returns.
type receiver struct {
	url, secret string
	deliveries  chan delivery
	events      chan Event
}

func newReceiver(t *testing.T, b *bank) *receiver {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	r := &receiver{
		url:        "http://" + server.Listener.Addr().String() + "/",
		deliveries: make(chan delivery, 10),
		events:     make(chan Event, 10),
	}
	webhook := map[string]any{"url": r.url, "events": []string{"transaction.status.returned"}}
	var created struct {
		Secret string `json:"secret"`
	}
	b.call(t, "POST", "/v2/webhook", webhook, &created)
	r.secret = created.Secret

	handler := WebhookHandler(r.secret, func(event Event) { r.events <- event })
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		r.deliveries <- delivery{request.Header.Clone(), body}
		request.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, request)
	})
	server.Start()
	t.Cleanup(server.Close)
	return r
}

func pullAndReturn(t *testing.T, b *bank) transaction {
	t.Helper()
	payment := b.pull(t, "40.00")
	b.settle(t)
	b.returnPayment(t, payment.ID, "R01")
	// Answers when every event has been delivered.
	b.call(t, "POST", "/_sandbox/drain", nil, nil)
	return payment
}

func TestReturnArrivesAsAnEvent(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	r := newReceiver(t, b)
	payment := pullAndReturn(t, b)

	if len(r.events) != 1 {
		t.Fatalf("%d events, want 1", len(r.events))
	}
	event := <-r.events
	if event.Type != "transaction.status.returned" || event.Data.ID != payment.ID || event.Data.ACH.ReturnCode != "R01" {
		t.Errorf("%+v, want the return of %s", event, payment.ID)
	}
}

func TestBothSignaturesCoverTheBody(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	r := newReceiver(t, b)
	pullAndReturn(t, b)
	if len(r.deliveries) != 1 {
		t.Fatalf("%d deliveries, want 1", len(r.deliveries))
	}
	sent := <-r.deliveries
	signature := sent.header.Get("sd-webhook-sha256-signature")
	changed := append(append([]byte{}, sent.body...), ' ')
	now := time.Now()

	for _, check := range []struct {
		name   string
		secret string
		body   []byte
		now    time.Time
		// Only Standard Webhooks covers the time.
		want, wantStandard bool
	}{
		{"as it was sent", r.secret, sent.body, now, true, true},
		{"another body", r.secret, changed, now, false, false},
		{"another secret", "another secret", sent.body, now, false, false},
		{"too late", r.secret, sent.body, now.Add(2 * tolerance), true, false},
	} {
		if got := Verify(check.secret, check.body, signature); got != check.want {
			t.Errorf("%s: Verify = %t, want %t", check.name, got, check.want)
		}
		if got := VerifyStandard(check.secret, check.body, sent.header, check.now); got != check.wantStandard {
			t.Errorf("%s: VerifyStandard = %t, want %t", check.name, got, check.wantStandard)
		}
	}
}

func TestForgedEventIsRefused(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, newBank(t))
	request, err := http.NewRequest("POST", r.url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("sd-webhook-sha256-signature", strings.Repeat("00", 32))
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("status = %d, want 401", response.StatusCode)
	}
	if len(r.events) != 0 {
		t.Error("a forged event was handled")
	}
}
