package payments;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReturnTest {
    @RegisterExtension
    final Bank bank = new Bank();

    @Test
    void aSettledPullIsReturned() throws Exception {
        var payment = bank.pull("40.00");
        var id = payment.path("id").asText();
        assertEquals("originated", payment.path("status").asText());

        bank.settle();
        assertEquals("settled", bank.transaction(id).path("status").asText());
        assertEquals("5040.00", bank.balance());

        // R01: the account at the other bank has too little money.
        bank.returnPayment(id, "R01");
        bank.settle();
        var returned = bank.transaction(id);
        assertEquals("returned", returned.path("status").asText());
        assertEquals("R01", returned.path("ach").path("return_code").asText());
        assertEquals("5000.00", bank.balance());
    }

    @ParameterizedTest
    @CsvSource({"10.00, 5010.00", "20.00, 5020.00"})
    void eachTestBeginsWithTheSameMoney(String amount, String balance) throws Exception {
        bank.pull(amount);
        bank.settle();
        assertEquals(balance, bank.balance());
    }
}
