package payments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// traceFolder is where the traces of failed tests go, "" for nowhere. They are written where CI is set;
// SANDBANK_TRACES names another folder or is off.
func traceFolder() string {
	named, isSet := os.LookupEnv("SANDBANK_TRACES")
	if !isSet {
		named = "on"
		if ci := os.Getenv("CI"); ci == "" || ci == "0" || ci == "false" {
			named = "off"
		}
	}
	switch strings.ToLower(named) {
	case "", "0", "off", "false", "no":
		return ""
	case "on", "1", "true", "yes":
		return "sandbank-traces"
	}
	return named
}

// errorf fails a test as t.Errorf does, and keeps the message for the trace: Go does not pass it to a cleanup function.
func (b *bank) errorf(t *testing.T, format string, args ...any) {
	t.Helper()
	b.problem += fmt.Sprintf(format, args...) + "\n"
	t.Errorf(format, args...)
}

// traceFailure keeps what the sandbox of a failed test holds in one HTML file, and prints its path.
func (b *bank) traceFailure(t *testing.T) {
	t.Helper()
	folder := traceFolder()
	if folder == "" || !t.Failed() {
		return
	}
	body, err := json.Marshal(map[string]string{"test": t.Name(), "error": b.problem})
	if err != nil {
		t.Logf("no trace: %v", err)
		return
	}
	request, err := http.NewRequest("POST", b.url+"/_sandbox/trace", bytes.NewReader(body))
	if err != nil {
		t.Logf("no trace: %v", err)
		return
	}
	request.Header.Set("api-key", b.apiKey)
	request.Header.Set("content-type", "application/json")
	if token := os.Getenv("SANDBANK_CONTROL_TOKEN"); token != "" {
		request.Header.Set("x-control-token", token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Logf("no trace: %v", err)
		return
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		t.Logf("no trace: %s %v", response.Status, err)
		return
	}
	name := regexp.MustCompile("[^A-Za-z0-9]+").ReplaceAllString(t.Name(), "-")
	path, _ := filepath.Abs(filepath.Join(folder, "sandbank-"+name+".html"))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Logf("no trace: %v", err)
		return
	}
	if err := os.WriteFile(path, page, 0o644); err != nil {
		t.Logf("no trace: %v", err)
		return
	}
	t.Logf("the trace of %s is %s", t.Name(), path)
}
