import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Issues numbers of gapless, so that no crash on either side loses or doubles one. */
public class Client {
    static final String USAGE = """
            Issues numbers of gapless, so that no crash on either side loses or doubles one.

              run SERIES COUNT [REFERENCE]   ends the order that is open in the outbox, then orders
                                             COUNT more, for your REFERENCE
              run                            only ends the order that is open

            Environment: GAPLESS_URL (http://… or https://…), GAPLESS_TOKEN, OUTBOX (a file: it
            exists while an order is open, and holds "KEY COUNT SERIES", a reference below);
            GAPLESS_TIMEOUT and GAPLESS_PATIENCE, in seconds. ../README.md has the rules.
            Without the script "run" nothing keeps two processes from using one outbox.""";
    static final double PAUSE_MAX = 5;
    static final List<Integer> WRONG_ORDERS = List.of(400, 404, 413, 422); // each time

    /** The reference: null without one. */
    record Order(String key, int count, String series, String reference) {}

    /** Status 0: there was no whole answer, and the body says why. */
    record Answer(int status, String body, boolean repeated, long after) {}

    /** The message is for the user. */
    static class GivenUp extends Exception {
        GivenUp(String message) { super(message); }
    }

    final String url = System.getenv("GAPLESS_URL").replaceAll("/+$", "");
    final String token = System.getenv("GAPLESS_TOKEN").strip();
    final Path outbox = Path.of(System.getenv("OUTBOX")).toAbsolutePath();
    final Duration timeout = seconds("GAPLESS_TIMEOUT", 15); // from sending to the last byte
    final Duration patience = seconds("GAPLESS_PATIENCE", 30); // for one order in this run
    final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout).build();

    static Duration seconds(String name, double usual) {
        var given = System.getenv(name);
        var wanted = given == null ? usual : Double.parseDouble(given);
        return Duration.ofMillis((long) (1000 * wanted));
    }

    /** UUID version 7: in the order of time, as the service likes its keys best. */
    static String uuid7() {
        var random = new SecureRandom();
        return new UUID(System.currentTimeMillis() << 16 | 0x7000 | random.nextInt(0x1000),
                random.nextLong() >>> 2 | Long.MIN_VALUE).toString();
    }

    void syncFolder() throws IOException {
        try (var folder = FileChannel.open(outbox.getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    /** On disk, whole, before anything is sent. */
    void save(Order order) throws IOException {
        var written = Path.of(outbox + ".new");
        try (var file = new FileOutputStream(written.toFile())) {
            var below = order.reference == null ? "" : order.reference + "\n";
            file.write("%s %d %s\n%s".formatted(order.key, order.count, order.series, below)
                    .getBytes(StandardCharsets.UTF_8));
            file.getFD().sync();
        }
        Files.move(written, outbox, StandardCopyOption.ATOMIC_MOVE);
        syncFolder();
    }

    void forget() throws IOException {
        Files.delete(outbox);
        syncFolder();
    }

    /** Null: none. */
    Order openOrder() throws IOException, GivenUp {
        var text = Files.exists(outbox) ? Files.readString(outbox) : "";
        if (text.isEmpty()) return null;
        var found = Pattern.compile("([0-9a-f-]{36}) ([0-9]+) ([^\n]+)\n(?:([^\n]+)\n)?")
                .matcher(text);
        if (!found.matches())
            throw new GivenUp(outbox + " is not an outbox: it holds something else; move it away");
        return new Order(found.group(1), Integer.parseInt(found.group(2)), found.group(3),
                found.group(4));
    }

    Answer send(Order order) throws InterruptedException {
        var series = URLEncoder.encode(order.series, StandardCharsets.UTF_8).replace("+", "%20");
        var reference = order.reference == null ? "" : ",\"reference\":\""
                + order.reference.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        var body = HttpRequest.BodyPublishers.ofString(
                "{\"count\":" + order.count + reference + "}");
        var request = HttpRequest.newBuilder(URI.create(url + "/v1/series/" + series + "/numbers"))
                .header("Authorization", "Bearer " + token).header("Idempotency-Key", order.key)
                .header("Content-Type", "application/json").header("Accept", "text/csv")
                .POST(body).build();
        var answered = http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            var got = answered.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            var after = got.headers().firstValue("Retry-After")
                    .filter(text -> text.matches("[0-9]{1,9}")).map(Long::parseLong).orElse(0L);
            var repeated = got.headers().firstValue("Idempotency-Replayed");
            return new Answer(got.statusCode(), got.body(), repeated.equals(Optional.of("true")),
                    after);
        } catch (ExecutionException | TimeoutException error) {
            answered.cancel(true);
            var cause = error.getCause() == null ? error : error.getCause();
            return new Answer(0, cause.toString(), false, 0);
        }
    }

    /** The text of a member of a problem document, or null. The standard library reads no JSON. */
    static String member(String json, String name) {
        var found = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
        return json.startsWith("{") && found.find() ? found.group(1).replace("\\\"", "\"") : null;
    }

    /** Repeats an order until its numbers are there, and prints them. `inDoubt`: it may have been
     * executed, although we have no answer. Returns whether the answer was a repeat: the numbers
     * may be in use since an earlier run. */
    boolean end(Order order, boolean inDoubt) throws IOException, InterruptedException, GivenUp {
        var giveUpAt = System.nanoTime() + patience.toNanos();
        for (double pause = 0.2; ; pause = Math.min(2 * pause, PAUSE_MAX)) {
            var answer = send(order);
            var body = answer.body;
            var got = answer.status == 201 && body.endsWith("\n") ? body.lines().count() : 0;
            if (0 < got && (got == order.count || got < order.count && answer.repeated)) {
                print(body);
                forget(); // only now: printed twice is better than never
                if (got < order.count)
                    System.err.println("run: " + (order.count - got)
                            + " numbers of this order are gone: "
                            + "released, expired, reused or voided");
                return answer.repeated;
            }
            var said = member(body, "detail");
            var detail = (answer.status == 0 ? "no answer" : answer.status) + ": "
                    + (said != null ? said : body.substring(0, Math.min(200, body.length())));
            if (!"no".equals(member(body, "executed"))) {
                inDoubt = true;
            } else if (answer.status != 429 && answer.status != 503) {
                var settled = "/problems/issuance-settled".equals(member(body, "type"));
                if (settled || WRONG_ORDERS.contains(answer.status) && !inDoubt) forget();
                throw new GivenUp(detail);
            }
            var wait = answer.after + pause * ThreadLocalRandom.current().nextDouble(0.5, 1);
            if (System.nanoTime() + wait * 1e9 > giveUpAt)
                throw new GivenUp("given up for now, the order stays in " + outbox + ": " + detail);
            Thread.sleep((long) (1000 * wait));
        }
    }

    /** Not by System.out, which keeps its errors to itself. */
    static void print(String text) throws IOException {
        var out = new FileOutputStream(FileDescriptor.out);
        out.write(text.getBytes());
        if (Files.isRegularFile(Path.of("/dev/stdout"))) FileDescriptor.out.sync();
    }

    void run(String[] words) throws IOException, InterruptedException, GivenUp {
        var open = openOrder();
        if (open != null) end(open, true);
        if (words.length == 0) return;
        var reference = words.length == 3 ? words[2] : null;
        var order = new Order(uuid7(), Integer.parseInt(words[1]), words[0], reference);
        save(order);
        end(order, false);
    }

    public static void main(String[] words) throws InterruptedException {
        // U+FFFD: what this locale cannot decode is no word of anybody.
        var counted = (words.length == 2 || words.length == 3) && words[1].matches("[0-9]{1,9}")
                && List.of(words).stream().allMatch(word -> word.matches("[^\0-\37\uFFFD]+"));
        var known = System.getenv().getOrDefault("GAPLESS_URL", "")
                .matches("(?i)https?://[^/:?#].*") && List.of("GAPLESS_TOKEN", "OUTBOX").stream()
                .allMatch(name -> !System.getenv().getOrDefault(name, "").isEmpty());
        if ((words.length > 0 && !counted) || !known) {
            System.err.println(USAGE);
            System.exit(2);
        }
        try {
            new Client().run(words);
            System.exit(0);
        } catch (IOException | GivenUp error) {
            System.err.println("run: " + (error instanceof GivenUp ? error.getMessage() : error));
            System.exit(1);
        }
    }
}
