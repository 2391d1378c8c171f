package payments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
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
        call("DELETE", "/_sandbox/sandboxes/" + name, null);
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
            return JSON.readTree(response.body());
        } catch (ConnectException e) {
            throw new IllegalStateException("No bank at " + URL + ". Run: sandbank exec -- mvn test", e);
        }
    }
}
