package payments;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks that a webhook comes from the bank. Every delivery has two signatures, and either is enough. */
public final class WebhookSignature {
    static final Duration TOLERANCE = Duration.ofMinutes(5);

    private WebhookSignature() {}

    /** Checks the header sd-webhook-sha256-signature: the HMAC-SHA256 of the raw body, in hexadecimal. */
    public static boolean verify(String secret, byte[] body, String signature) {
        String expected = HexFormat.of().formatHex(hmac(secret, body));
        return signature != null && MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
    }

    /**
     * Checks the headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks. They also cover the
     * event's id and the time of sending.
     */
    public static boolean verifyStandard(
            String secret, byte[] body, String id, String timestamp, String signatures, Instant now) {
        if (id == null || timestamp == null || signatures == null) return false;
        try {
            Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
            if (Duration.between(sent, now).abs().compareTo(TOLERANCE) > 0) return false;
        } catch (RuntimeException notATime) {
            return false;
        }
        var signed = new ByteArrayOutputStream();
        signed.writeBytes((id + "." + timestamp + ".").getBytes(UTF_8));
        signed.writeBytes(body);
        String expected = "v1," + Base64.getEncoder().encodeToString(hmac(secret, signed.toByteArray()));
        // There are several signatures while a secret is being rotated.
        return Arrays.stream(signatures.split(" "))
                .anyMatch(one -> MessageDigest.isEqual(expected.getBytes(UTF_8), one.getBytes(UTF_8)));
    }

    private static byte[] hmac(String secret, byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
