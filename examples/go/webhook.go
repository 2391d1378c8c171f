// Package payments receives the bank's webhooks. It needs only the standard library.
package payments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxBody   = 1 << 20
	tolerance = 5 * time.Minute
)

// Event is an event of v2, as a webhook delivers it.
type Event struct {
	ID   string `json:"id"`
	Type string `json:"event_type"`
	Data struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		ACH    struct {
			ReturnCode string `json:"return_code"`
		} `json:"ach"`
	} `json:"data"`
}

// Verify checks the header sd-webhook-sha256-signature: the HMAC-SHA256 of the raw body, in hexadecimal.
func Verify(secret string, body []byte, signature string) bool {
	given, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(given, sign(secret, body))
}

// VerifyStandard checks the three headers of Standard Webhooks. They also cover the event's id and the time of sending.
func VerifyStandard(secret string, body []byte, header http.Header, now time.Time) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	sent := time.Unix(seconds, 0)
	if sent.Before(now.Add(-tolerance)) || sent.After(now.Add(tolerance)) {
		return false
	}
	signed := header.Get("webhook-id") + "." + timestamp + "." + string(body)
	expected := sign(secret, []byte(signed))
	// There are several signatures while a secret is being rotated.
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		version, encoded, _ := strings.Cut(one, ",")
		given, err := base64.StdEncoding.DecodeString(encoded)
		if version == "v1" && err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

// WebhookHandler passes each event with a correct signature to handle, and answers all other requests with 401.
func WebhookHandler(secret string, handle func(Event)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		// The bytes of the body are signed, so check the signature before decoding them.
		if !Verify(secret, body, r.Header.Get("sd-webhook-sha256-signature")) {
			http.Error(w, "the signature is wrong", http.StatusUnauthorized)
			return
		}
		var event Event
		if err := json.Unmarshal(body, &event); err != nil {
			http.Error(w, "the body is not JSON", http.StatusBadRequest)
			return
		}
		handle(event)
		w.WriteHeader(http.StatusNoContent)
	})
}

func sign(secret string, content []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(content)
	return mac.Sum(nil)
}
