package payments;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhookTest {
    /** A request as it arrived. */
    record Delivery(Headers headers, byte[] body) {}

    @RegisterExtension
    final Bank bank = new Bank();

    final List<JsonNode> events = new CopyOnWriteArrayList<>();
    final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    HttpServer server;
    String url;
    String secret;

    /** Starts a receiver to which the bank sends the returns. */
    @BeforeEach
    void listen() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        var webhook = Map.of("url", url, "events", List.of("transaction.status.returned"));
        secret = bank.post("/v2/webhook", webhook).path("secret").asText();
        var context = server.createContext("/", new WebhookHandler(secret, events::add));
        context.getFilters().add(Filter.beforeHandler("keeps what arrives", exchange -> {
            try {
                byte[] body = exchange.getRequestBody().readAllBytes();
                deliveries.add(new Delivery(exchange.getRequestHeaders(), body));
                exchange.setStreams(new ByteArrayInputStream(body), null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private String pullAndReturn() throws Exception {
        var id = bank.pull("40.00").path("id").asText();
        bank.settle();
        bank.returnPayment(id, "R01");
        bank.drain();
        return id;
    }

    @Test
    void aReturnArrivesAsAnEvent() throws Exception {
        var id = pullAndReturn();

        assertEquals(1, events.size());
        var event = events.get(0);
        assertEquals("transaction.status.returned", event.path("event_type").asText());
        assertEquals(id, event.path("data").path("id").asText());
        assertEquals("R01", event.path("data").path("ach").path("return_code").asText());
    }

    @Test
    void bothSignaturesCoverTheBody() throws Exception {
        pullAndReturn();
        assertEquals(1, deliveries.size());
        var headers = deliveries.get(0).headers();
        var body = deliveries.get(0).body();
        var changed = Arrays.copyOf(body, body.length + 1);

        var signature = headers.getFirst("sd-webhook-sha256-signature");
        assertTrue(WebhookSignature.verify(secret, body, signature));
        assertFalse(WebhookSignature.verify(secret, changed, signature));
        assertFalse(WebhookSignature.verify("another secret", body, signature));

        var now = Instant.now();
        assertTrue(verifyStandard(secret, body, headers, now));
        assertFalse(verifyStandard(secret, changed, headers, now));
        assertFalse(verifyStandard("another secret", body, headers, now));
        assertFalse(verifyStandard(secret, body, headers, now.plus(WebhookSignature.TOLERANCE.multipliedBy(2))));
    }

    private static boolean verifyStandard(String secret, byte[] body, Headers headers, Instant now) {
        return WebhookSignature.verifyStandard(
                secret,
                body,
                headers.getFirst("webhook-id"),
                headers.getFirst("webhook-timestamp"),
                headers.getFirst("webhook-signature"),
                now);
    }

    @Test
    void aForgedEventIsRefused() throws Exception {
        var forged = HttpRequest.newBuilder(URI.create(url))
                .header("sd-webhook-sha256-signature", "00".repeat(32))
                .POST(BodyPublishers.ofByteArray("{}".getBytes(UTF_8)))
                .build();
        var response = HttpClient.newHttpClient().send(forged, BodyHandlers.discarding());
        assertEquals(401, response.statusCode());
        assertTrue(events.isEmpty());
    }
}
