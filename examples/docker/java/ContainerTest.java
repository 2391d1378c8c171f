// A bank in a container. It needs Docker and the image: docker build --tag sandbank . in Sandbank's folder.
package payments;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

class ContainerTest {
  private static final int PORT = 4800;

  @Test
  void aBankInAContainerListsItsAccounts() throws Exception {
    try (GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse("sandbank"))
            .withExposedPorts(PORT)
            .withEnv("SANDBANK_RAILS", "manual")
            .withEnv("SANDBANK_DATA", "")
            .waitingFor(Wait.forHealthcheck())) {
      container.start();
      String url = "http://" + container.getHost() + ":" + container.getMappedPort(PORT);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + "/v2/accounts/sub_account"))
              .header("api-key", "test_default")
              .build();
      assertEquals(200, HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode());
    }
  }
}
