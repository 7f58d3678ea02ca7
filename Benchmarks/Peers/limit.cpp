// The checkout benchmark at what one core can do with one seed at a time: no allocation, no
// indirection, the whole queue in one 512-bit register (or a small sorted array where there is none),
// the whole world in a few bit masks, an event in one 32-bit word.
// Spec: ../CHECKOUT.md.
//
//   SEEDS=20000000 ./limit          the benchmark line
//   ./limit 1000000 --stats         a second line with means, for comparing peers
//   ./limit 1000000 --bug=1         1 no dedupe on the server, 2 app finishes before the reply,
//                                   3 the queue does not redeliver after a crash
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#if defined(__AVX512F__) && !defined(NO_VECTOR)
#include <immintrin.h>
#define VECTOR 1
#else
#define VECTOR 0
#endif

#define INLINE [[gnu::always_inline]] inline

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum Kind : u32 { Ask, Charged, Callback, Request, Answer, Reply, Timer, Relaunch };

// An event: | time 20 | kind 3 | purchase 2 | life of the app 3 | ok 1 | 0 3 |
// The life wraps at 8: a timer waits 5000 ms, in which the app can die at most five times.
constexpr u32 kTimeShift = 12, kKindShift = 9, kIdShift = 7, kLifeShift = 4, kOkShift = 3;
[[maybe_unused]] constexpr u32 kNever = ~0u;
constexpr u32 kCalm = 60'000u << kTimeShift;
constexpr u32 kBeyond = 600'001u << kTimeShift;  // the first word past the horizon; kNever is past it too

constexpr u32 part(double share) { return static_cast<u32>(share * 4294967296.0); }
constexpr u32 kDrop = part(0.10);
constexpr u32 kDropOrDouble = part(0.10 + 0.90 * 0.05);
constexpr u32 kFive = part(0.05);

// U(a,b) from 32 random bits; the bias is below (b-a)/2^32.
INLINE constexpr u32 uniform(u32 bits, u32 a, u32 b) {
    return a + static_cast<u32>((u64(bits) * (b - a + 1)) >> 32);
}

// xoroshiro128++, two words seeded by splitmix64.
struct Random {
    u64 s0, s1;
    INLINE static u64 mix(u64 z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    INLINE explicit Random(u64 seed)
        : s0(mix((2 * seed + 1) * 0x9e3779b97f4a7c15ull)), s1(mix((2 * seed + 2) * 0x9e3779b97f4a7c15ull)) {}
    INLINE u64 next() {
        u64 a = s0, b = s1, sum = a + b;
        u64 result = ((sum << 17) | (sum >> 47)) + a;
        b ^= a;
        s0 = ((a << 49) | (a >> 15)) ^ b ^ (b << 21);
        s1 = (b << 28) | (b >> 36);
        return result;
    }
};

// The pending events, smallest first. Sixteen are held sorted; the rare rest waits unsorted in `spill`,
// whose members are never smaller than the sixteen.
struct Queue {
    static constexpr u32 kMost = 256;
    u32 count = 0;
    u32 spilled = 0;
    u32* spill;
#if VECTOR
    __m512i held = _mm512_set1_epi32(-1);
    INLINE u32 first() const { return static_cast<u32>(_mm512_cvtsi512_si32(held)); }
    INLINE void place(u32 event) {
        __m512i all = _mm512_set1_epi32(static_cast<int>(event));
        __m512i up = _mm512_alignr_epi32(held, _mm512_setzero_si512(), 15);
        held = _mm512_min_epu32(held, _mm512_max_epu32(up, all));
    }
    INLINE void remove_first() { held = _mm512_alignr_epi32(_mm512_set1_epi32(-1), held, 1); }
    [[gnu::noinline]] u32 last() const {
        alignas(64) u32 words[16];
        _mm512_store_si512(words, held);
        return words[15];
    }
#else
    u32 held[17];
    Queue() { for (u32& word : held) word = kNever; }
    INLINE u32 first() const { return held[0]; }
    INLINE void place(u32 event) {
        u32 i = count < 16 ? count : 16;
        for (; i > 0 && held[i - 1] > event; --i) held[i] = held[i - 1];
        held[i] = event;
    }
    INLINE void remove_first() { std::memmove(held, held + 1, 15 * sizeof(u32)); held[15] = kNever; }
    u32 last() const { return held[15]; }
#endif
    INLINE explicit Queue(u32* room) : Queue() { spill = room; }
#if VECTOR
    Queue() = default;
#endif
    [[gnu::noinline]] void make_room(u32 event) {
        if (spilled == kMost) { std::fprintf(stderr, "the queue is full\n"); std::abort(); }
        u32 most = last();
        spill[spilled++] = most > event ? most : event;
        if (event < most) place(event);  // pushes `most` out
    }
    [[gnu::noinline]] void take_back() {
        u32 best = 0;
        for (u32 i = 1; i < spilled; ++i) if (spill[i] < spill[best]) best = i;
        u32 event = spill[best];
        spill[best] = spill[--spilled];
        place(event);
    }
    INLINE void push(u32 event) {
        if (count >= 16) [[unlikely]] make_room(event);
        else place(event);
        ++count;
    }
    INLINE void pop() {
        remove_first();
        --count;
        if (count >= 16) [[unlikely]] { take_back(); }
    }
};

struct Stats {
    u64 kinds[8]{};
    u64 credits = 0, crashes = 0, end_time = 0, deepest = 0;
};
Stats stats;

struct Outcome { u32 events; bool violated; };

template <int Bug, bool Counting>
INLINE Outcome simulate(u64 seed, u32* room) {
    Random random(seed);
    Queue queue(room);
    u32 charged = 0, credited = 0, finished = 0, twice = 0, violated = 0;  // a bit a purchase
    u32 running = 1, life = 0, events = 0, now = 0;

    auto word = [](u32 kind, u32 id) { return kind << kKindShift | id << kIdShift; };
    for (u32 id = 0; id < 3; ++id) queue.push((id * 1000) << kTimeShift | word(Ask, id));

    for (;;) {
        const u32 event = queue.first();
        if (event >= kBeyond) break;
        if constexpr (Counting) if (queue.count > stats.deepest) stats.deepest = queue.count;
        queue.pop();
        ++events;
        const u32 time = event & ~((1u << kTimeShift) - 1);
        now = time;
        const u32 same = event & 3u << kIdShift;        // the purchase, where it is in the word
        const u32 id = same >> kIdShift, bit = 1u << id;
        const bool calm = event >= kCalm;
        const u32 drop = calm ? 0 : kDrop, drop_or_double = calm ? 0 : kDropOrDouble, five = calm ? 0 : kFive;

        // One leg of the network.
        auto leg = [&](u32 kind_and_more) {
            const u64 r = random.next();
            const u32 roll = static_cast<u32>(r);
            if (roll < drop) return;
            queue.push(time + (uniform(static_cast<u32>(r >> 32), 10, 200) << kTimeShift) + kind_and_more + same);
            if (roll < drop_or_double) {
                const u32 again = static_cast<u32>(random.next() >> 32);
                queue.push(time + (uniform(again, 10, 200) << kTimeShift) + kind_and_more + same);
            }
        };
        // After the app has handled something.
        auto handled = [&] {
            const u64 r = random.next();
            if (static_cast<u32>(r) < five) {
                running = 0;
                life = (life + 1) & 7;
                if constexpr (Counting) ++stats.crashes;
                queue.push(time + (uniform(static_cast<u32>(r >> 32), 1000, 10000) << kTimeShift) + word(Relaunch, 0));
            }
        };
        auto send = [&] {
            leg(word(Request, 0));
            queue.push(time + (5000u << kTimeShift) + word(Timer, 0) + same + (life << kLifeShift));
        };
        if constexpr (Counting) ++stats.kinds[event >> kKindShift & 7];

        switch (event >> kKindShift & 7) {
        case Ask:
            queue.push(time + (uniform(static_cast<u32>(random.next() >> 32), 50, 500) << kTimeShift) + word(Charged, 0) + same);
            break;
        case Charged:
            charged |= bit;
            queue.push(time + (uniform(static_cast<u32>(random.next() >> 32), 1, 20) << kTimeShift) + word(Callback, 0) + same);
            break;
        case Callback:
            if (!running) break;
            send();
            if constexpr (Bug == 2) finished |= bit;
            handled();
            break;
        case Request:
            queue.push(time + (uniform(static_cast<u32>(random.next() >> 32), 20, 200) << kTimeShift) + word(Answer, 0) + same);
            break;
        case Answer: {
            const u32 ok = static_cast<u32>(random.next()) >= five;
            if (ok && (!(credited & bit) || Bug == 1)) {
                twice |= credited & bit;
                credited |= bit;
                if constexpr (Counting) ++stats.credits;
            }
            leg(word(Reply, 0) + (ok << kOkShift));
            break;
        }
        case Reply:
            // A reply is under way 600 ms at most after its request was sent, and a dead app stays dead for
            // 1000: none reaches a later life, so the running bit is all there is to look at.
            if (!running) break;
            finished |= event >> kOkShift & 1 ? bit : 0;
            handled();
            break;
        case Timer:
            if (!running || (event >> kLifeShift & 7) != life) break;
            if (!(finished & bit)) send();
            handled();
            break;
        case Relaunch:
            running = 1;
            for (u32 i = 0; i < 3; ++i) {
                if (!(charged >> i & 1)) continue;
                const u64 r = random.next();
                if (finished >> i & 1 ? static_cast<u32>(r) >= five : Bug == 3) continue;
                queue.push(time + (uniform(static_cast<u32>(r >> 32), 1, 20) << kTimeShift) + word(Callback, i));
            }
            break;
        default:
            __builtin_unreachable();
        }
        violated |= twice | (finished & ~credited);  // credited twice, or finished before its credit
    }
    violated |= charged & ~(credited & finished);
    if constexpr (Counting) stats.end_time += now >> kTimeShift;
    return {events, violated != 0};
}

template <int Bug, bool Counting>
int run(u64 seeds) {
    static u32 room[Queue::kMost];
    auto start = std::chrono::steady_clock::now();
    u64 events = 0, violations = 0;
    long long first = -1;
    for (u64 seed = 0; seed < seeds; ++seed) {
        Outcome outcome = simulate<Bug, Counting>(seed, room);
        events += outcome.events;
        if (outcome.violated) [[unlikely]] {
            ++violations;
            if (first < 0) first = static_cast<long long>(seed);
        }
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("runs=%llu events=%llu violations=%llu seconds=%.3f runs_per_s=%.0f events_per_s=%.0f\n",
                (unsigned long long)seeds, (unsigned long long)events, (unsigned long long)violations,
                seconds, seeds / seconds, events / seconds);
    if (Bug)
        std::printf("bug=%d seeds_until_first=%lld violating_share=%.5f\n", Bug, first + 1, double(violations) / seeds);
    if (Counting) {
        double n = double(seeds);
        std::printf("stats events=%.4f credits=%.4f crashes=%.4f end_ms=%.1f ask=%.4f charged=%.4f callback=%.4f "
                    "request=%.4f answer=%.4f reply=%.4f timer=%.4f relaunch=%.4f deepest=%llu\n",
                    events / n, stats.credits / n, stats.crashes / n, stats.end_time / n,
                    stats.kinds[Ask] / n, stats.kinds[Charged] / n, stats.kinds[Callback] / n,
                    stats.kinds[Request] / n, stats.kinds[Answer] / n, stats.kinds[Reply] / n,
                    stats.kinds[Timer] / n, stats.kinds[Relaunch] / n, (unsigned long long)stats.deepest);
    }
    return violations && !Bug ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    u64 seeds = 1'000'000;
    if (const char* env = std::getenv("SEEDS")) seeds = std::strtoull(env, nullptr, 10);
    int bug = 0;
    bool counting = false;
    for (int i = 1; i < argc; ++i) {
        if (!std::strncmp(argv[i], "--bug=", 6)) bug = std::atoi(argv[i] + 6);
        else if (!std::strcmp(argv[i], "--stats")) counting = true;
        else seeds = std::strtoull(argv[i], nullptr, 10);
    }
    switch (bug) {
    case 1: return run<1, true>(seeds);
    case 2: return run<2, true>(seeds);
    case 3: return run<3, true>(seeds);
    default: return counting ? run<0, true>(seeds) : run<0, false>(seeds);
    }
}
