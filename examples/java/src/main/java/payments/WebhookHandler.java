package payments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.function.Consumer;

/** Passes each event with a correct signature to a consumer, and answers all other requests with 401. */
public final class WebhookHandler implements HttpHandler {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String secret;
    private final Consumer<JsonNode> consumer;

    public WebhookHandler(String secret, Consumer<JsonNode> consumer) {
        this.secret = secret;
        this.consumer = consumer;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            // The bytes of the body are signed, so check the signature before parsing them.
            byte[] body = exchange.getRequestBody().readAllBytes();
            String signature = exchange.getRequestHeaders().getFirst("sd-webhook-sha256-signature");
            if (!WebhookSignature.verify(secret, body, signature)) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            consumer.accept(JSON.readTree(body));
            exchange.sendResponseHeaders(204, -1);
        }
    }
}
