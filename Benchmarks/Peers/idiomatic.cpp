// The checkout benchmark the way a normal C++ engineer would write it:
// a std::priority_queue of std::function callbacks, one class per party, std::mt19937_64.
// Spec: ../CHECKOUT.md.
//
//   SEEDS=100000 ./idiomatic            the benchmark line
//   ./idiomatic 100000 --stats          a second line with means, for comparing peers
//   ./idiomatic 100000 --bug=1          1 no dedupe on the server, 2 app finishes before the reply,
//                                       3 the queue does not redeliver after a crash
//   ./idiomatic 100000 --alt=NAME       another reading of one open point
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Time = std::int64_t;
constexpr Time kCalm = 60'000;    // from here on no faults
constexpr Time kHorizon = 600'000;
constexpr int kPurchases = 3;

struct Options {
    int bug = 0;
    // The other readings, all off by default.
    bool one_roll_network = false;   // dropped 10 / doubled 5 / single 85, from one roll
    bool check_run_at_charge = false;// "if the app runs" looked at when charged, not when called
    bool relaunch_direct = false;    // the relaunch calls back at once, in its own event
    bool ask_needs_app = false;      // a purchase asked for while the app is down waits for the relaunch
    bool asks_not_events = false;    // asks are not queue items
    bool roll_on_stale = false;      // a stale timer is "handled" too, and may crash a running app
    bool no_roll_when_done = false;  // a timer of a finished transaction is not "handled"
    bool ledger_first = false;       // the server asks the App Store only when the ledger lacks it
    bool cancel_timers = false;      // timers are taken out of the queue when finished or crashed
};
Options options;

enum Kind { Ask, Charged, Callback, Request, Answer, Reply, Timer, Relaunch, kKinds };

struct Stats {
    std::uint64_t kinds[kKinds]{};
    std::uint64_t credits = 0, crashes = 0, end_time = 0;
    std::size_t deepest = 0;
} stats;

class Simulator {
public:
    explicit Simulator(std::uint64_t seed) : rng_(seed) {}

    Time now() const { return now_; }
    std::uint64_t events() const { return events_; }
    bool calm() const { return now_ >= kCalm; }

    Time uniform(Time a, Time b) { return std::uniform_int_distribution<Time>(a, b)(rng_); }
    bool fault(int percent) { return !calm() && uniform(0, 99) < percent; }
    int percent() { return static_cast<int>(uniform(0, 99)); }

    void after(Time delay, std::function<void()> action) {
        queue_.push(Item{now_ + delay, next_++, std::move(action)});
    }

    void run(const std::function<void()>& check) {
        while (!queue_.empty()) {
            Item item = queue_.top();
            if (item.at > kHorizon) break;
            stats.deepest = std::max(stats.deepest, queue_.size());
            queue_.pop();
            now_ = item.at;
            ++events_;
            item.action();
            check();
        }
    }
    void uncount() { --events_; }

private:
    struct Item {
        Time at;
        std::uint64_t order;
        std::function<void()> action;
        bool operator<(const Item& other) const {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    std::mt19937_64 rng_;
    std::priority_queue<Item> queue_;
    Time now_ = 0;
    std::uint64_t next_ = 0, events_ = 0;
};

class Network {
public:
    explicit Network(Simulator& sim) : sim_(sim) {}
    void send(std::function<void()> deliver) {
        if (options.one_roll_network) {
            int roll = sim_.calm() ? 99 : sim_.percent();
            if (roll < 10) return;
            if (roll < 15) sim_.after(sim_.uniform(10, 200), deliver);
            sim_.after(sim_.uniform(10, 200), std::move(deliver));
            return;
        }
        if (sim_.fault(10)) return;
        if (sim_.fault(5)) sim_.after(sim_.uniform(10, 200), deliver);
        sim_.after(sim_.uniform(10, 200), std::move(deliver));
    }
private:
    Simulator& sim_;
};

class Server {
public:
    Server(Simulator& sim, Network& network) : sim_(sim), network_(network) {}

    void request(int id, std::function<void(int, bool)> reply) {
        ++stats.kinds[Request];
        if (options.ledger_first && credits_[id] > 0) {
            network_.send([id, reply = std::move(reply)] { reply(id, true); });
            return;
        }
        sim_.after(sim_.uniform(20, 200), [this, id, reply = std::move(reply)] {
            ++stats.kinds[Answer];
            bool ok = !sim_.fault(5);
            if (ok && (credits_[id] == 0 || options.bug == 1)) ++credits_[id];
            network_.send([id, ok, reply] { reply(id, ok); });
        });
    }
    int credits(int id) const { return credits_[id]; }

private:
    Simulator& sim_;
    Network& network_;
    std::array<int, kPurchases> credits_{};
};

// The App Store's side of the phone: the payment queue, which outlives the app.
class PaymentQueue {
public:
    explicit PaymentQueue(Simulator& sim) : sim_(sim) {}

    std::function<void(int)> on_transaction;
    std::function<bool()> app_runs;

    void ask(int id) {
        ++stats.kinds[Ask];
        sim_.after(sim_.uniform(50, 500), [this, id] {
            ++stats.kinds[Charged];
            charged_[id] = true;
            if (options.check_run_at_charge && !app_runs()) return;
            call_back(id);
        });
    }
    void finish(int id) { finished_[id] = true; }
    void app_launched() {
        for (int id = 0; id < kPurchases; ++id) {
            if (!charged_[id]) continue;
            if (finished_[id] ? !sim_.fault(5) : options.bug == 3) continue;
            if (options.relaunch_direct) on_transaction(id);
            else call_back(id);
        }
    }
    bool charged(int id) const { return charged_[id]; }
    bool finished(int id) const { return finished_[id]; }

private:
    void call_back(int id) {
        sim_.after(sim_.uniform(1, 20), [this, id] { ++stats.kinds[Callback]; on_transaction(id); });
    }
    Simulator& sim_;
    std::array<bool, kPurchases> charged_{}, finished_{};
};

class App {
public:
    App(Simulator& sim, Network& network, Server& server, PaymentQueue& queue)
        : sim_(sim), network_(network), server_(server), queue_(queue) {
        queue_.on_transaction = [this](int id) { transaction(id); };
        queue_.app_runs = [this] { return running_; };
    }
    bool running() const { return running_; }
    std::vector<int> asked_while_down;

private:
    void transaction(int id) {
        if (!running_) return;
        send(id);
        start_timer(id);
        if (options.bug == 2) queue_.finish(id);
        handled();
    }
    void send(int id) {
        network_.send([this, id, life = life_] {
            server_.request(id, [this, life](int id, bool ok) { reply(id, life, ok); });
        });
    }
    void start_timer(int id) {
        sim_.after(5000, [this, id, life = life_] { timer(id, life); });
    }
    void reply(int id, int life, bool ok) {
        ++stats.kinds[Reply];
        if (!running_ || life != life_) return;
        if (ok) queue_.finish(id);
        handled();
    }
    void timer(int id, int life) {
        if (options.cancel_timers && (!running_ || life != life_ || queue_.finished(id))) {
            sim_.uncount();
            return;
        }
        ++stats.kinds[Timer];
        if (!running_) return;
        if (life != life_) { if (options.roll_on_stale) handled(); return; }
        if (!queue_.finished(id)) {
            send(id);
            start_timer(id);
        } else if (options.no_roll_when_done) return;
        handled();
    }
    void handled() {
        if (!sim_.fault(5)) return;
        ++stats.crashes;
        running_ = false;
        ++life_;
        sim_.after(sim_.uniform(1000, 10000), [this] {
            ++stats.kinds[Relaunch];
            running_ = true;
            for (int id : asked_while_down) queue_.ask(id);
            asked_while_down.clear();
            queue_.app_launched();
        });
    }

    Simulator& sim_;
    Network& network_;
    Server& server_;
    PaymentQueue& queue_;
    bool running_ = true;
    int life_ = 0;
};

struct Outcome { std::uint64_t events; bool violated; };

Outcome simulate(std::uint64_t seed) {
    Simulator sim(seed);
    Network network(sim);
    Server server(sim, network);
    PaymentQueue queue(sim);
    App app(sim, network, server, queue);

    for (int id = 0; id < kPurchases; ++id)
        sim.after(id * 1000, [&, id] {
            if (options.ask_needs_app && !app.running()) { app.asked_while_down.push_back(id); return; }
            if (options.asks_not_events) sim.uncount();
            queue.ask(id);
        });

    bool violated = false;
    sim.run([&] {
        for (int id = 0; id < kPurchases; ++id) {
            if (server.credits(id) > 1) violated = true;                          // credited twice
            if (queue.finished(id) && server.credits(id) == 0) violated = true;   // finished before credited
        }
    });
    for (int id = 0; id < kPurchases; ++id) {
        if (queue.charged(id) && (server.credits(id) == 0 || !queue.finished(id))) violated = true;
        stats.credits += server.credits(id);
    }
    stats.end_time += sim.now();
    return {sim.events(), violated};
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t seeds = 100'000;
    if (const char* env = std::getenv("SEEDS")) seeds = std::strtoull(env, nullptr, 10);
    bool want_stats = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view arg = argv[i];
        if (arg.starts_with("--bug=")) options.bug = std::atoi(argv[i] + 6);
        else if (arg == "--stats") want_stats = true;
        else if (arg == "--alt=one_roll_network") options.one_roll_network = true;
        else if (arg == "--alt=check_run_at_charge") options.check_run_at_charge = true;
        else if (arg == "--alt=relaunch_direct") options.relaunch_direct = true;
        else if (arg == "--alt=ask_needs_app") options.ask_needs_app = true;
        else if (arg == "--alt=asks_not_events") options.asks_not_events = true;
        else if (arg == "--alt=roll_on_stale") options.roll_on_stale = true;
        else if (arg == "--alt=no_roll_when_done") options.no_roll_when_done = true;
        else if (arg == "--alt=ledger_first") options.ledger_first = true;
        else if (arg == "--alt=cancel_timers") options.cancel_timers = true;
        else if (arg[0] != '-') seeds = std::strtoull(argv[i], nullptr, 10);
        else { std::fprintf(stderr, "unknown %s\n", argv[i]); return 2; }
    }

    auto start = std::chrono::steady_clock::now();
    std::uint64_t events = 0, violations = 0;
    long long first = -1;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Outcome outcome = simulate(seed);
        events += outcome.events;
        if (outcome.violated) {
            ++violations;
            if (first < 0) first = static_cast<long long>(seed);
        }
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("runs=%llu events=%llu violations=%llu seconds=%.3f runs_per_s=%.0f events_per_s=%.0f\n",
                (unsigned long long)seeds, (unsigned long long)events, (unsigned long long)violations,
                seconds, seeds / seconds, events / seconds);
    if (options.bug)
        std::printf("bug=%d seeds_until_first=%lld violating_share=%.5f\n", options.bug, first + 1,
                    double(violations) / seeds);
    if (want_stats) {
        double n = double(seeds);
        std::printf("stats events=%.4f credits=%.4f crashes=%.4f end_ms=%.1f ask=%.4f charged=%.4f callback=%.4f "
                    "request=%.4f answer=%.4f reply=%.4f timer=%.4f relaunch=%.4f deepest=%zu\n",
                    events / n, stats.credits / n, stats.crashes / n, stats.end_time / n,
                    stats.kinds[Ask] / n, stats.kinds[Charged] / n, stats.kinds[Callback] / n,
                    stats.kinds[Request] / n, stats.kinds[Answer] / n, stats.kinds[Reply] / n,
                    stats.kinds[Timer] / n, stats.kinds[Relaunch] / n, stats.deepest);
    }
    return violations && !options.bug ? 1 : 0;
}
