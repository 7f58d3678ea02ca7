import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.cert.*;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.regex.*;

/**
 * A shop's backend: Java's own library and a file, nothing else.
 *
 *     PORT=5000 LEDGER=ledger.txt ROOT=root.der java Shop.java [--defect=refund-first | --defect=old-news]
 *
 * The app posts the signed transaction. The shop believes it as Apple's documents say (three certificates up to Apple's
 * root, signed by the first), and credits whoever it belongs to. Apple tells of refunds by App Store Server
 * Notifications. A line in the file, and one in the log, is what happened to the ledger.
 *
 * --defect=refund-first: nobody looks whether what is to be credited was refunded. A refund that came before the credit
 * found nothing to take back, and the credit stands for ever (Apple forum 691286).
 * --defect=old-news: what a notification says is how it is. The reversal of a refund that overtakes the refund is undone
 * by it (Apple forum 716641).
 * Without either, the shop asks Apple how things stand now, whoever has told it of them.
 */
public class Shop {
  static String defect = "";
  static final Path LEDGER = Path.of(System.getenv("LEDGER"));
  static final HttpClient apple = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public static void main(String[] arguments) throws Exception {
    for (String argument : arguments) defect = argument.replace("--defect=", "");
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
    server.createContext("/purchases", exchange -> answer(exchange, Shop::purchase));
    server.createContext("/notifications", exchange -> answer(exchange, Shop::notification));
    server.setExecutor(Executors.newFixedThreadPool(2));
    server.start();
  }

  /** Apple says nothing of it now, so whoever asked is to ask again. */
  static class TryAgain extends Exception {}

  interface Handler { String handle(String body) throws Exception; }

  static void answer(HttpExchange exchange, Handler handler) throws IOException {
    int status = 200;
    String text;
    try {
      text = handler.handle(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    } catch (TryAgain | IOException error) {
      status = 503;
      text = "try-again";
    } catch (Exception error) {
      error.printStackTrace();
      status = 400;
      text = "refused";
    }
    byte[] bytes = ("{\"state\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  static String purchase(String body) throws Exception {
    String posted = payload(field(body, "signed"));
    String transaction = field(posted, "transactionId");
    String now = lookUp(transaction);
    if (!field(now, "environment").equals("Production")) return "refused";
    String owner = field(now, "appAccountToken");
    if (owner == null) owner = field(body, "account");
    int stands = defect.equals("refund-first") ? 1000 : standing(now);
    return apply(transaction, owner, Long.parseLong(field(now, "signedDate")), stands);
  }

  /** How many thousandths stand of what Apple says this of. */
  static int standing(String said) {
    String taken = field(said, "revocationPercentage");
    return taken != null ? 1000 - Integer.parseInt(taken) / 100 : field(said, "revocationDate") != null ? 0 : 1000;
  }

  static String notification(String body) throws Exception {
    String told = payload(field(body, "signedPayload"));
    String type = field(told, "notificationType");
    if (!type.startsWith("REFUND")) return "noted";
    String named = payload(field(told, "signedTransactionInfo"));
    String transaction = field(named, "transactionId");
    if (defect.equals("old-news")) {
      apply(transaction, null, Long.MAX_VALUE, type.equals("REFUND") ? 0 : 1000);
    } else {
      String now = lookUp(transaction);
      apply(transaction, field(now, "appAccountToken"), Long.parseLong(field(now, "signedDate")), standing(now));
    }
    return "noted";
  }

  // The ledger: a line is a transaction, its account ("-" while nobody has reported it), how many thousandths were given or
  // taken, and what Apple had said when: how many stand.

  /**
   * Has as many thousandths of a transaction stand as Apple has said last, whoever hears it first. What came back before it
   * was reported belongs to whoever reports it.
   */
  static synchronized String apply(String transaction, String account, long signed, int stands) throws IOException {
    String owner = "-";
    int sum = 0;
    long last = 0;
    for (String line : Files.exists(LEDGER) ? Files.readAllLines(LEDGER) : List.<String>of()) {
      String[] parts = line.split(" ");
      if (!parts[0].equals(transaction)) continue;
      if (owner.equals("-")) owner = parts[1];
      sum += Integer.parseInt(parts[2]);
      if (Long.parseLong(parts[3]) > signed) stands = Integer.parseInt(parts[4]);
      last = Math.max(last, Long.parseLong(parts[3]));
    }
    if (owner.equals("-") && account != null) owner = account;
    int change = owner.equals("-") ? 0 : stands - sum;
    if (change != 0 || last < signed) {
      String line = transaction + " " + owner + " " + change;
      Files.writeString(
          LEDGER, line + " " + Math.max(last, signed) + " " + stands + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND,
          StandardOpenOption.DSYNC);
      if (change != 0) System.out.println("ledger " + line);
    }
    return stands == 0 ? "refused" : change > 0 ? "credited" : "had";
  }

  // Apple

  /** What Apple says of a transaction now, in production, and where it is not known there in the sandbox. */
  static String lookUp(String transaction) throws Exception {
    for (String host : List.of("api.storekit.apple.com", "api.storekit-sandbox.apple.com")) {
      var request = HttpRequest.newBuilder(URI.create("https://" + host + "/inApps/v1/transactions/" + transaction))
          .header("Authorization", "Bearer " + token()).build();
      var response = apple.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 200) return payload(field(response.body(), "signedTransactionInfo"));
      if (!"4040010".equals(field(response.body(), "errorCode"))) throw new TryAgain();
    }
    throw new TryAgain();
  }

  /** The token with which Apple is called; what signs it is left out here. */
  static String token() {
    long expires = System.currentTimeMillis() / 1000 + 300;
    var encoder = Base64.getUrlEncoder().withoutPadding();
    return encoder.encodeToString("{\"alg\":\"ES256\",\"kid\":\"KEY\",\"typ\":\"JWT\"}".getBytes()) + "."
        + encoder.encodeToString(("{\"iss\":\"issuer\",\"aud\":\"appstoreconnect-v1\",\"bid\":\"com.example.app\","
            + "\"exp\":" + expires + "}").getBytes()) + "." + encoder.encodeToString(new byte[64]);
  }

  /** What is signed, once it is found out that Apple has signed it. */
  static String payload(String jws) throws Exception {
    String[] parts = jws.split("\\.");
    String header = text(parts[0]);
    var factory = CertificateFactory.getInstance("X.509");
    var chain = new ArrayList<X509Certificate>();
    Matcher certificates = Pattern.compile("\"([A-Za-z0-9+/=]{100,})\"").matcher(header);
    while (certificates.find()) {
      byte[] bytes = Base64.getDecoder().decode(certificates.group(1));
      chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
    }
    if (chain.size() != 3) throw new SecurityException("a chain of " + chain.size());
    try (var root = new FileInputStream(System.getenv("ROOT"))) {
      var anchor = new TrustAnchor((X509Certificate) factory.generateCertificate(root), null);
      var parameters = new PKIXParameters(Set.of(anchor));
      parameters.setRevocationEnabled(false);
      CertPathValidator.getInstance("PKIX").validate(factory.generateCertPath(chain.subList(0, 2)), parameters);
    }
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initVerify(chain.get(0));
    signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) throw new SecurityException("not signed by it");
    return text(parts[1]);
  }

  static String text(String part) { return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8); }

  /** A text or a number of a JSON object, wherever it stands; null where it is not there. */
  static String field(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*(?:\"([^\"]*)\"|(-?[0-9]+))").matcher(json);
    if (!found.find()) return null;
    return found.group(1) != null ? found.group(1) : found.group(2);
  }
}
