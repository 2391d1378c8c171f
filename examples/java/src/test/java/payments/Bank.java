package payments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A sandbox for each test: {@code @RegisterExtension Bank bank = new Bank();}. */
final class Bank implements BeforeEachCallback, AfterEachCallback {
    static final String URL = System.getenv().getOrDefault("SANDBANK_URL", "http://127.0.0.1:4800");
    private static final String CONTROL_TOKEN = System.getenv("SANDBANK_CONTROL_TOKEN");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name = "java-" + UUID.randomUUID();
    private JsonNode seeded;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        seeded = get("/_sandbox").path("seeded");
        // The clock is frozen, so a payment moves only when a test moves it.
        call("PUT", "/_sandbox/clock", Map.of("mode", "frozen"));
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        var failure = context.getExecutionException();
        if (failure.isPresent()) {
            var test = context.getRequiredTestClass().getSimpleName() + "." + context.getRequiredTestMethod().getName();
            writeTrace(test + " " + context.getDisplayName(), failure.get());
        }
        call("DELETE", "/_sandbox/sandboxes/" + name, null);
    }

    /** Keeps what the sandbox of a failed test holds in one HTML file, and prints its path. */
    private void writeTrace(String test, Throwable failure) {
        var folder = traceFolder();
        if (folder == null) {
            return;
        }
        try {
            var error = new StringWriter();
            failure.printStackTrace(new PrintWriter(error));
            var page = send("POST", "/_sandbox/trace", Map.of("test", test, "error", error.toString()));
            var file = folder.resolve("sandbank-" + test.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("-$", "") + ".html");
            Files.createDirectories(folder);
            Files.writeString(file, page);
            System.err.println("sandbank: the trace of " + test + " is " + file.toAbsolutePath());
        } catch (Exception | AssertionError problem) {
            // The test has failed already, and for another reason.
            System.err.println("sandbank: no trace of " + test + " was written: " + problem);
        }
    }

    /** On where CI is set; SANDBANK_TRACES names another folder or is off. */
    private static Path traceFolder() {
        var ci = System.getenv().getOrDefault("CI", "");
        var isOn = !Set.of("", "0", "false").contains(ci);
        var named = System.getenv().getOrDefault("SANDBANK_TRACES", isOn ? "on" : "off");
        if (Set.of("", "0", "off", "false", "no").contains(named.toLowerCase())) {
            return null;
        }
        return Path.of(Set.of("on", "1", "true", "yes").contains(named.toLowerCase()) ? "sandbank-traces" : named);
    }

    /** Give it to the code under test, together with {@link #URL}. */
    String apiKey() {
        return "test_" + name;
    }

    /** Pulls money by ACH from the seeded counterparty, as the code under test would. */
    JsonNode pull(String amount) throws IOException, InterruptedException {
        return post("/v2/payments/ach/pull", Map.of(
                "sub_account_id", seeded.path("sub_account_id").asText(),
                "counterparty_id", seeded.path("ach_counterparty_id").asText(),
                "amount", amount));
    }

    /** Moves the clock until every payment has arrived. */
    void settle() throws IOException, InterruptedException {
        call("POST", "/_sandbox/clock/settle", null);
    }

    /** Makes the other bank return a payment. */
    void returnPayment(String id, String code) throws IOException, InterruptedException {
        post("/_sandbox/simulate/transactions/" + id + "/return", Map.of("return_code", code));
    }

    /** Waits until every event has been delivered. */
    void drain() throws IOException, InterruptedException {
        call("POST", "/_sandbox/drain", null);
    }

    JsonNode transaction(String id) throws IOException, InterruptedException {
        return get("/v2/payments/transaction/" + id);
    }

    String balance() throws IOException, InterruptedException {
        return get("/v2/accounts/sub_account/" + seeded.path("sub_account_id").asText())
                .path("available_balance")
                .asText();
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return call("GET", path, null);
    }

    JsonNode post(String path, Object body) throws IOException, InterruptedException {
        return call("POST", path, body);
    }

    private JsonNode call(String method, String path, Object body) throws IOException, InterruptedException {
        return JSON.readTree(send(method, path, body));
    }

    private String send(String method, String path, Object body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(URL + path))
                .timeout(Duration.ofMinutes(1))
                .header("api-key", apiKey());
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json")
                    .method(method, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
        }
        // Only the control plane requires the token.
        if (CONTROL_TOKEN != null && path.startsWith("/_sandbox")) {
            request.header("x-control-token", CONTROL_TOKEN);
        }
        try {
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new AssertionError("%s %s was answered with %d: %s"
                        .formatted(method, path, response.statusCode(), response.body()));
            }
            return response.body();
        } catch (ConnectException e) {
            throw new IllegalStateException("No bank at " + URL + ". Run: sandbank exec -- mvn test", e);
        }
    }
}
