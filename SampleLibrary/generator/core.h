// A small path tracer: triangles and spheres in a bounding-volume hierarchy,
// a wavy water plane, a sky computed from air scattering, height fog, and a
// thin lens. The scenes are built in scenes.h; render.cpp traces them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

static const float PI = 3.14159265f;

struct V {
    float x, y, z;
    V(float a = 0) : x(a), y(a), z(a) {}
    V(float a, float b, float c) : x(a), y(b), z(c) {}
    float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
static inline V operator+(V a, V b) { return V(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline V operator-(V a, V b) { return V(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline V operator*(V a, V b) { return V(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline V operator*(V a, float s) { return V(a.x * s, a.y * s, a.z * s); }
static inline V operator*(float s, V a) { return a * s; }
static inline V operator/(V a, float s) { return a * (1.0f / s); }
static inline V operator-(V a) { return V(-a.x, -a.y, -a.z); }
static inline V &operator+=(V &a, V b) { a = a + b; return a; }
static inline V &operator*=(V &a, V b) { a = a * b; return a; }
static inline float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline V cross(V a, V b) { return V(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline float len(V a) { return std::sqrt(dot(a, a)); }
static inline V norm(V a) { float l = len(a); return l > 0 ? a / l : V(0, 1, 0); }
static inline float lum(V a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }
static inline float clampf(float x, float a, float b) { return x < a ? a : x > b ? b : x; }
static inline float mixf(float a, float b, float t) { return a + (b - a) * t; }
static inline V mix(V a, V b, float t) { return a + (b - a) * t; }
static inline float smooth(float a, float b, float x) { float t = clampf((x - a) / (b - a), 0, 1); return t * t * (3 - 2 * t); }
static inline V vexp(V a) { return V(std::exp(a.x), std::exp(a.y), std::exp(a.z)); }
static inline V reflect(V d, V n) { return d - n * (2 * dot(d, n)); }
static inline void basis(V n, V &t, V &b) {
    t = norm(std::fabs(n.x) > 0.5f ? cross(n, V(0, 1, 0)) : cross(n, V(1, 0, 0)));
    b = cross(n, t);
}

// ---- hashing and noise: integers only decide the lattice, so that a scene is
// the same on every machine.
static inline uint32_t hash(uint32_t x) { x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16; return x; }
static inline uint32_t hash3(int x, int y, int z) { return hash(uint32_t(x) * 0x9e3779b1U ^ hash(uint32_t(y) * 0x85ebca77U ^ hash(uint32_t(z) * 0xc2b2ae3dU))); }
static inline float hf(uint32_t h) { return (hash(h) >> 8) * (1.0f / 16777216.0f); }
static inline float hf3(int x, int y, int z) { return (hash3(x, y, z) >> 8) * (1.0f / 16777216.0f); }
static uint32_t gSeed = 1;

static float noise2(float x, float y) {
    float fx = std::floor(x), fy = std::floor(y);
    int ix = int(fx), iy = int(fy);
    float u = x - fx, v = y - fy;
    auto g = [&](int i, int j) {
        uint32_t h = hash3(ix + i, iy + j, int(gSeed));
        // Sixteen fixed directions are enough and need no cosine.
        static const float gx[16] = {1, .92388f, .70711f, .38268f, 0, -.38268f, -.70711f, -.92388f, -1, -.92388f, -.70711f, -.38268f, 0, .38268f, .70711f, .92388f};
        int k = h & 15;
        return gx[k] * (u - i) + gx[(k + 12) & 15] * (v - j);
    };
    float su = u * u * u * (u * (u * 6 - 15) + 10), sv = v * v * v * (v * (v * 6 - 15) + 10);
    return 1.5f * mixf(mixf(g(0, 0), g(1, 0), su), mixf(g(0, 1), g(1, 1), su), sv);
}
static float noise3(V p) {
    float fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    int ix = int(fx), iy = int(fy), iz = int(fz);
    float u = p.x - fx, v = p.y - fy, w = p.z - fz;
    u = u * u * (3 - 2 * u); v = v * v * (3 - 2 * v); w = w * w * (3 - 2 * w);
    auto g = [&](int i, int j, int k) { return hf3(ix + i, iy + j, iz + k) * 2 - 1; };
    return mixf(mixf(mixf(g(0, 0, 0), g(1, 0, 0), u), mixf(g(0, 1, 0), g(1, 1, 0), u), v),
                mixf(mixf(g(0, 0, 1), g(1, 0, 1), u), mixf(g(0, 1, 1), g(1, 1, 1), u), v), w);
}
static float fbm2(float x, float y, int oct) {
    float s = 0, a = 0.5f;
    for (int i = 0; i < oct; i++) {
        s += a * noise2(x, y);
        float nx = 1.6f * x - 1.2f * y + 13.7f; y = 1.2f * x + 1.6f * y + 5.1f; x = nx; a *= 0.5f;
    }
    return s;
}
static float ridged2(float x, float y, int oct) {
    float s = 0, a = 0.5f, prev = 1;
    for (int i = 0; i < oct; i++) {
        float n = 1 - std::fabs(noise2(x, y)); n *= n;
        s += a * n * prev; prev = n;
        float nx = 1.6f * x - 1.2f * y + 3.7f; y = 1.2f * x + 1.6f * y + 9.1f; x = nx; a *= 0.5f;
    }
    return s;
}
static float fbm3(V p, int oct) {
    float s = 0, a = 0.5f;
    for (int i = 0; i < oct; i++) { s += a * noise3(p); p = p * 2.03f + V(7.1f, 3.3f, 1.9f); a *= 0.5f; }
    return s;
}

struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 6364136223846793005ULL + 1442695040888963407ULL) { next(); next(); }
    uint32_t next() {
        uint64_t o = s; s = o * 6364136223846793005ULL + 1442695040888963407ULL;
        uint32_t x = uint32_t(((o >> 18) ^ o) >> 27), r = uint32_t(o >> 59);
        return (x >> r) | (x << ((32 - r) & 31));
    }
    float u() { return (next() >> 8) * (1.0f / 16777216.0f); }
    float range(float a, float b) { return a + (b - a) * u(); }
};

// ---- what things are made of
enum Kind { DIFFUSE, COATED, METAL, GLASS, LEAF, EMIT };
struct Surface { V albedo; V emit; float rough; float bump; };
struct Mat {
    Kind kind = DIFFUSE;
    V col = V(0.5f);
    float rough = 0.3f;   // of the reflection
    float ior = 1.5f;
    V emit = V(0);
    bool terrain = false; // shade with the height function's normal
    // Called with the hit point, its normal and its uv.
    std::function<void(V, V, float, float, Surface &)> tex;
    // Height of small relief, in scene units, as a function of the point.
    std::function<float(V, float, float)> relief;
    float reliefStep = 0.001f;
};

struct Tri { V v0, e1, e2, n0, n1, n2; float u0, w0, u1, w1, u2, w2; int mat; };
struct Sphere { V c; float r; int mat; };
struct Ray { V o, d; };
struct Hit { float t = 1e30f; int prim = INT32_MAX;   // no such thing hit: -1 would be the first sphere
    float u = 0, v = 0; bool water = false; };
struct Box { V lo = V(1e30f), hi = V(-1e30f);
    void add(V p) { lo = V(std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)); hi = V(std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)); }
    void add(const Box &b) { add(b.lo); add(b.hi); }
    float area() const { V d = hi - lo; return d.x < 0 ? 0 : d.x * d.y + d.y * d.z + d.z * d.x; } };
struct Node { V lo; int left; V hi; int count; };
struct Quad { V p, a, b, n; V emit; float area; };   // a rectangular lamp or a window
struct PointLight { V p; V c; };                     // drawn as the lens would blur it

struct Scene {
    std::vector<Mat> mats;
    std::vector<Tri> tris;
    std::vector<Sphere> spheres;
    std::vector<int> order;    // >= 0: triangle, < 0: sphere ~i
    std::vector<Node> nodes;
    std::vector<Quad> lamps;
    std::vector<PointLight> points;
    std::function<float(float, float)> height;

    // camera
    V eye = V(0, 1, 0), at = V(0, 1, 1);
    float fov = 45, aperture = 0, focus = 10, roll = 0;

    // light
    V sunDir = norm(V(0.5f, 0.5f, 0.5f));
    float sunSize = 0.006f, sunPower = 20, skyPower = 1;
    V sunCol = V(0);
    bool indoor = false; V indoorSky = V(0);
    bool night = false; bool stars = false; V nightLow = V(0.02f, 0.03f, 0.06f), nightHigh = V(0.004f, 0.007f, 0.02f);
    float clouds = 0, cloudScale = 1, haze = 1; bool cloudStreaks = false;
    V cloudTint = V(1);

    // water
    bool water = false; float waterY = 0, waveAmp = 0.15f, waveScale = 1; V waterAbsorb = V(0.35f, 0.09f, 0.06f), waterBody = V(0.01f, 0.05f, 0.06f);

    // fog: density a * exp(-b * (y - y0))
    float fogA = 0, fogB = 0.01f, fogY = 0; float fogSun = 0.3f; V fogTint = V(1); float fogGain = 1;

    int maxDepth = 4;
    float clampAt = 12;

    int mat(const Mat &m) { mats.push_back(m); return int(mats.size()) - 1; }
    int mat(Kind k, V c, float rough = 0.3f, float ior = 1.5f) { Mat m; m.kind = k; m.col = c; m.rough = rough; m.ior = ior; return mat(m); }

    void tri(V a, V b, V c, int m) { V n = norm(cross(b - a, c - a)); tri(a, b, c, n, n, n, m); }
    void tri(V a, V b, V c, V na, V nb, V nc, int m, float u0 = 0, float w0 = 0, float u1 = 1, float w1 = 0, float u2 = 1, float w2 = 1) {
        tris.push_back(Tri{a, b - a, c - a, na, nb, nc, u0, w0, u1, w1, u2, w2, m});
    }
    void quad(V a, V b, V c, V d, int m) {
        V n = norm(cross(b - a, c - a));
        tri(a, b, c, n, n, n, m, 0, 0, 1, 0, 1, 1); tri(a, c, d, n, n, n, m, 0, 0, 1, 1, 0, 1);
    }
    void sphere(V c, float r, int m) { spheres.push_back(Sphere{c, r, m}); }
    void box(V c, V h, float rot, int m) {
        float cs = std::cos(rot), sn = std::sin(rot);
        V p[8];
        for (int i = 0; i < 8; i++) {
            V q((i & 1 ? h.x : -h.x), (i & 2 ? h.y : -h.y), (i & 4 ? h.z : -h.z));
            p[i] = c + V(q.x * cs + q.z * sn, q.y, -q.x * sn + q.z * cs);
        }
        quad(p[0], p[2], p[3], p[1], m); quad(p[4], p[5], p[7], p[6], m);
        quad(p[0], p[1], p[5], p[4], m); quad(p[2], p[6], p[7], p[3], m);
        quad(p[0], p[4], p[6], p[2], m); quad(p[1], p[3], p[7], p[5], m);
    }
    // A profile (radius, height) turned about the vertical through c.
    void lathe(V c, std::vector<std::pair<float, float>> prof, int m, int seg = 48, V scale = V(1), float lean = 0, float leanDir = 0) {
        int n = int(prof.size());
        std::vector<V> nn(n);
        V la(std::cos(leanDir) * std::sin(lean), std::cos(lean), std::sin(leanDir) * std::sin(lean)), lx, lz;
        basis(la, lx, lz);
        auto place = [&](V q) { q = q * scale; return c + lx * q.x + la * q.y + lz * q.z; };
        auto turn = [&](V q) { q = V(q.x / scale.x, q.y / scale.y, q.z / scale.z); return norm(lx * q.x + la * q.y + lz * q.z); };
        for (int i = 0; i < n; i++) {
            int a = std::max(0, i - 1), b = std::min(n - 1, i + 1);
            float dr = prof[b].first - prof[a].first, dy = prof[b].second - prof[a].second;
            nn[i] = V(dy, -dr, 0); 
        }
        for (int j = 0; j < seg; j++) {
            float a0 = 2 * PI * j / seg, a1 = 2 * PI * (j + 1) / seg;
            float c0 = std::cos(a0), s0 = std::sin(a0), c1 = std::cos(a1), s1 = std::sin(a1);
            for (int i = 0; i + 1 < n; i++) {
                float r0 = prof[i].first, y0 = prof[i].second, r1 = prof[i + 1].first, y1 = prof[i + 1].second;
                V A(r0 * c0, y0, r0 * s0), B(r0 * c1, y0, r0 * s1), C(r1 * c1, y1, r1 * s1), D(r1 * c0, y1, r1 * s0);
                auto N = [&](int k, float cc, float ss) { return turn(V(nn[k].x * cc, nn[k].y, nn[k].x * ss)); };
                float u0 = float(j) / seg, u1 = float(j + 1) / seg, v0 = float(i) / (n - 1), v1 = float(i + 1) / (n - 1);
                if (r0 > 0) tri(place(A), place(C), place(B), N(i, c0, s0), N(i + 1, c1, s1), N(i, c1, s1), m, u0, v0, u1, v1, u1, v0);
                if (r1 > 0) tri(place(A), place(D), place(C), N(i, c0, s0), N(i + 1, c0, s0), N(i + 1, c1, s1), m, u0, v0, u0, v1, u1, v1);
            }
        }
    }
    // A rounded stone, a fruit, a bush: a sphere pushed in and out by noise.
    void blob(V c, V r, float rough, float freq, uint32_t seed, int m, int seg = 24, float rot = 0) {
        int rows = seg / 2;
        std::vector<V> p((seg + 1) * (rows + 1)), n(p.size(), V(0));
        float cs = std::cos(rot), sn = std::sin(rot);
        for (int i = 0; i <= rows; i++) for (int j = 0; j <= seg; j++) {
            float th = PI * i / rows, ph = 2 * PI * (j % seg) / seg;
            V d(std::sin(th) * std::cos(ph), std::cos(th), std::sin(th) * std::sin(ph));
            float k = 1 + rough * fbm3(d * freq + V(float(seed % 977), float(seed % 313), 0), 3);
            V q = d * r * k;
            p[i * (seg + 1) + j] = c + V(q.x * cs + q.z * sn, q.y, -q.x * sn + q.z * cs);
        }
        auto id = [&](int i, int j) { return i * (seg + 1) + j; };
        for (int i = 0; i <= rows; i++) for (int j = 0; j <= seg; j++) {
            V a = p[id(i, (j + 1) % seg)] - p[id(i, (j + seg - 1) % seg)], b = p[id(std::min(rows, i + 1), j)] - p[id(std::max(0, i - 1), j)];
            V q = cross(a, b);
            if (len(q) < 1e-12f || i == 0 || i == rows) q = p[id(i, j)] - c;
            if (dot(q, p[id(i, j)] - c) < 0) q = -q;
            n[id(i, j)] = norm(q);
        }
        for (int i = 0; i < rows; i++) for (int j = 0; j < seg; j++) {
            int a = id(i, j), b = id(i, j + 1), cI = id(i + 1, j + 1), d = id(i + 1, j);
            float u0 = float(j) / seg, u1 = float(j + 1) / seg, v0 = float(i) / rows, v1 = float(i + 1) / rows;
            if (i > 0) tri(p[a], p[b], p[cI], n[a], n[b], n[cI], m, u0, v0, u1, v0, u1, v1);
            if (i < rows - 1) tri(p[a], p[cI], p[d], n[a], n[cI], n[d], m, u0, v0, u1, v1, u0, v1);
        }
    }
    // Ground as a fan about the camera: near things get small triangles.
    void terrain(int m, float near, float far, int rings, int spokes, float halfAngle) {
        V f = at - eye; float base = std::atan2(f.z, f.x);
        std::vector<V> p(size_t(rings + 1) * (spokes + 1));
        for (int i = 0; i <= rings; i++) for (int j = 0; j <= spokes; j++) {
            float r = near * std::pow(far / near, float(i) / rings), a = base + halfAngle * (2.0f * j / spokes - 1);
            float x = eye.x + r * std::cos(a), z = eye.z + r * std::sin(a);
            p[size_t(i) * (spokes + 1) + j] = V(x, height(x, z), z);
        }
        for (int i = 0; i < rings; i++) for (int j = 0; j < spokes; j++) {
            size_t k = size_t(i) * (spokes + 1) + j;
            V a = p[k], b = p[k + 1], c = p[k + spokes + 2], d = p[k + spokes + 1];
            if (water && std::max(std::max(a.y, b.y), std::max(c.y, d.y)) < waterY - 12) continue;
            tri(a, b, c, m); tri(a, c, d, m);
        }
    }
    void lamp(V p, V a, V b, V emit) { V c = cross(a, b); lamps.push_back(Quad{p, a, b, norm(c), emit, len(c)}); }

    Box boundsOf(int id) const {
        Box b;
        if (id >= 0) { const Tri &t = tris[id]; b.add(t.v0); b.add(t.v0 + t.e1); b.add(t.v0 + t.e2); }
        else { const Sphere &s = spheres[~id]; b.add(s.c - V(s.r)); b.add(s.c + V(s.r)); }
        return b;
    }
    void build() {
        int n = int(tris.size() + spheres.size());
        order.resize(n);
        for (size_t i = 0; i < tris.size(); i++) order[i] = int(i);
        for (size_t i = 0; i < spheres.size(); i++) order[tris.size() + i] = ~int(i);
        std::vector<std::pair<Box, int>> items(n);
        for (int i = 0; i < n; i++) items[i] = {boundsOf(order[i]), order[i]};
        nodes.reserve(size_t(n) + 1); nodes.push_back(Node());
        if (n) split(0, items, 0, n, 0); else { nodes[0].lo = V(1e30f); nodes[0].hi = V(-1e30f); nodes[0].count = 0; nodes[0].left = 0; }
        // Leaf order for the triangles too: neighbours in space lie together in memory.
        std::vector<Tri> sorted; sorted.reserve(tris.size());
        for (int i = 0; i < n; i++) { int id = items[i].second; if (id >= 0) { sorted.push_back(tris[id]); id = int(sorted.size()) - 1; } order[i] = id; }
        tris.swap(sorted);
    }
    void split(int node, std::vector<std::pair<Box, int>> &it, int a, int b, int depth) {
        Box all, cen;
        for (int i = a; i < b; i++) { all.add(it[i].first); cen.add((it[i].first.lo + it[i].first.hi) * 0.5f); }
        nodes[node].lo = all.lo; nodes[node].hi = all.hi;
        auto leaf = [&] { nodes[node].left = a; nodes[node].count = b - a; };
        if (b - a <= 2 || depth > 58) { leaf(); return; }
        V e = cen.hi - cen.lo; int ax = e.x > e.y ? (e.x > e.z ? 0 : 2) : (e.y > e.z ? 1 : 2);
        if (e[ax] <= 0) { leaf(); return; }
        const int K = 12; Box bb[K]; int cnt[K] = {};
        auto bin = [&](const Box &x) { return std::min(K - 1, int(K * ((x.lo[ax] + x.hi[ax]) * 0.5f - cen.lo[ax]) / e[ax])); };
        for (int i = a; i < b; i++) { int k = bin(it[i].first); bb[k].add(it[i].first); cnt[k]++; }
        float best = 1e38f; int at = -1; float right[K]; int rc[K]; Box acc; int c = 0;
        for (int k = K - 1; k > 0; k--) { if (cnt[k]) acc.add(bb[k]); c += cnt[k]; right[k] = acc.area(); rc[k] = c; }
        acc = Box(); c = 0;
        for (int k = 0; k < K - 1; k++) {
            if (cnt[k]) acc.add(bb[k]);
            c += cnt[k];
            if (!c || !rc[k + 1]) continue;
            float cost = acc.area() * c + right[k + 1] * rc[k + 1];
            if (cost < best) { best = cost; at = k; }
        }
        if (at < 0 || (b - a <= 4 && best >= all.area() * (b - a))) { leaf(); return; }
        int m = int(std::partition(it.begin() + a, it.begin() + b, [&](const std::pair<Box, int> &x) { return bin(x.first) <= at; }) - it.begin());
        int l = int(nodes.size()); nodes.push_back(Node()); nodes.push_back(Node());
        nodes[node].left = l; nodes[node].count = 0;
        split(l, it, a, m, depth + 1); split(l + 1, it, m, b, depth + 1);
    }
    bool prim(int id, const Ray &r, Hit &h) const {
        if (id >= 0) {
            const Tri &t = tris[id];
            V p = cross(r.d, t.e2); float det = dot(t.e1, p);
            if (det == 0) return false;
            float inv = 1 / det; V s = r.o - t.v0; float u = dot(s, p) * inv;
            if (u < 0 || u > 1) return false;
            V q = cross(s, t.e1); float v = dot(r.d, q) * inv;
            if (v < 0 || u + v > 1) return false;
            float d = dot(t.e2, q) * inv;
            if (d <= 0 || d >= h.t) return false;
            h.t = d; h.prim = id; h.u = u; h.v = v; return true;
        }
        const Sphere &s = spheres[~id];
        V oc = r.o - s.c; float b = dot(oc, r.d); V perp = oc - r.d * b; float disc = s.r * s.r - dot(perp, perp);
        if (disc < 0) return false;
        float q = std::sqrt(disc), d = -b - q, eps = 1e-4f * s.r;
        if (d < eps) d = -b + q;
        if (d < eps || d >= h.t) return false;
        h.t = d; h.prim = id; return true;
    }
    static bool slab(const Node &n, V o, V inv, float tmax, float &tn) {
        float a = (n.lo.x - o.x) * inv.x, b = (n.hi.x - o.x) * inv.x;
        float t0 = std::min(a, b), t1 = std::max(a, b);
        a = (n.lo.y - o.y) * inv.y; b = (n.hi.y - o.y) * inv.y;
        t0 = std::max(t0, std::min(a, b)); t1 = std::min(t1, std::max(a, b));
        a = (n.lo.z - o.z) * inv.z; b = (n.hi.z - o.z) * inv.z;
        t0 = std::max(t0, std::min(a, b)); t1 = std::min(t1, std::max(a, b));
        tn = t0; return t1 >= std::max(t0, 0.0f) && t0 < tmax;
    }
    template <class F> void walk(const Ray &r, Hit &h, F done) const {
        auto safe = [](float x) { return 1 / (std::fabs(x) < 1e-12f ? (x < 0 ? -1e-12f : 1e-12f) : x); };
        V inv(safe(r.d.x), safe(r.d.y), safe(r.d.z));
        int st[64], sp = 0; float tn;
        if (!slab(nodes[0], r.o, inv, h.t, tn)) return;
        int cur = 0;
        for (;;) {
            const Node &n = nodes[cur];
            if (n.count) {
                for (int i = 0; i < n.count; i++) if (prim(order[n.left + i], r, h) && done(h)) return;
                if (!sp) return;
                cur = st[--sp];
            } else {
                if (n.left == 0) return;
                float ta, tb; bool a = slab(nodes[n.left], r.o, inv, h.t, ta), b = slab(nodes[n.left + 1], r.o, inv, h.t, tb);
                if (a && b) { bool f = ta <= tb; cur = n.left + (f ? 0 : 1); st[sp++] = n.left + (f ? 1 : 0); }
                else if (a) cur = n.left; else if (b) cur = n.left + 1;
                else { if (!sp) return; cur = st[--sp]; }
            }
        }
    }
    int matOf(int prim) const { return prim >= 0 ? tris[prim].mat : spheres[~prim].mat; }
    bool intersect(const Ray &r, Hit &h) const {
        walk(r, h, [](Hit &) { return false; });
        if (water && std::fabs(r.d.y) > 1e-6f) {
            float t = (waterY - r.o.y) / r.d.y;
            if (t > 1e-3f && t < h.t && t < 60000) { h.t = t; h.water = true; h.prim = 0; }
        }
        return h.prim != INT32_MAX || h.water;
    }
    // How much light comes through: glass dims it, anything else stops it.
    V visible(Ray r, float dist) const {
        V through(1);
        for (int i = 0; i < 8; i++) {
            Hit h; h.t = dist;
            walk(r, h, [&](Hit &q) { return mats[matOf(q.prim)].kind != GLASS; });
            if (h.prim == INT32_MAX) return through;
            const Mat &m = mats[matOf(h.prim)];
            if (m.kind != GLASS) return V(0);
            through *= m.col * 0.93f;
            r.o = r.o + r.d * (h.t * 1.0001f + 1e-4f); dist -= h.t;
        }
        return through;
    }

    // ---- sky: one scattering by air and haze, kept in a table over the upper
    // half; rows lie closer together near the horizon.
    static const int SW = 3072, SH = 768, LW = 96, LH = 48;
    std::vector<V> skyTab, low;
    V airTransmit(V d) const {
        // optical depth from the ground along d
        const float Re = 6360e3f, Ra = 6420e3f; V o(0, Re + 50, 0);
        float b = dot(o, d), c = dot(o, o) - Ra * Ra, t = -b + std::sqrt(b * b - c), ds = t / 24; float oR = 0, oM = 0;
        for (int i = 0; i < 24; i++) { float h = std::max(0.0f, len(o + d * (ds * (i + 0.5f))) - Re); oR += std::exp(-h / 8000) * ds; oM += std::exp(-h / 1200) * ds; }
        return vexp(-(V(7.2e-6f, 16.9e-6f, 33.3e-6f) * oR + V(4e-6f * 1.1f * haze) * oM));   // air and ozone, haze
    }
    V scatter(V d) const {
        // Ozone takes green and red from light on a long way, or every dusk would be green.
        const float Re = 6360e3f, Ra = 6420e3f; V bR(5.8e-6f, 13.5e-6f, 33.1e-6f), bE(7.2e-6f, 16.9e-6f, 33.3e-6f); float bM = 4e-6f * haze;
        V o(0, Re + 50, 0);
        float b = dot(o, d), c = dot(o, o) - Ra * Ra, t = -b + std::sqrt(b * b - c), ds = t / 24; float oR = 0, oM = 0;
        float mu = dot(d, sunDir), g = 0.76f;
        float pR = 3 / (16 * PI) * (1 + mu * mu), pM = 3 / (8 * PI) * (1 - g * g) * (1 + mu * mu) / ((2 + g * g) * std::pow(1 + g * g - 2 * g * mu, 1.5f));
        V sR(0), sM(0), sI(0);
        for (int i = 0; i < 24; i++) {
            V p = o + d * (ds * (i + 0.5f)); float h = len(p) - Re; if (h < 0) h = 0;
            float hr = std::exp(-h / 8000) * ds, hm = std::exp(-h / 1200) * ds; oR += hr; oM += hm;
            float b2 = dot(p, sunDir), c2 = dot(p, p) - Ra * Ra, t2 = -b2 + std::sqrt(b2 * b2 - c2), d2 = t2 / 10, lR = 0, lM = 0; bool dark = false;
            for (int k = 0; k < 10; k++) { float hh = len(p + sunDir * (d2 * (k + 0.5f))) - Re; if (hh < -2000) { dark = true; break; } hh = std::max(hh, 0.0f); lR += std::exp(-hh / 8000) * d2; lM += std::exp(-hh / 1200) * d2; }
            V view = vexp(-(bE * oR + V(bM * 1.1f) * oM));
            // Light scattered more than once has no direction left: a small even share.
            sI += view * (bR * hr + V(bM * hm)) * (0.035f * clampf(sunDir.y * 4 + 0.35f, 0.02f, 1));
            if (dark) continue;
            V tau = vexp(-(bE * (oR + lR) + V(bM * 1.1f) * (oM + lM)));
            sR += tau * hr; sM += tau * hm;
        }
        return (sR * bR * pR + sM * V(bM * pM) + sI) * 20.0f;
    }
    V cloudSun = V(0), cloudAmb = V(0);
    V cloudLayer(V d, V base) const {
        if (clouds <= 0 || d.y < 0.012f) return base;
        float k = 1 / (d.y + 0.06f); float px = d.x * k * cloudScale, pz = d.z * k * cloudScale;
        if (cloudStreaks) { px *= 0.45f; pz *= 2.2f; }
        auto den = [&](float x, float z, int o) { float wx = x + 0.35f * fbm2(x * 0.7f + 31, z * 0.7f, 3), wz = z + 0.35f * fbm2(x * 0.7f, z * 0.7f + 47, 3);
            return fbm2(wx + 3.3f, wz + 8.8f, o) * 1.6f + (clouds - 0.5f); };
        float c = den(px, pz, 7); if (c <= 0) return base;
        V s = sunDir; float step = 0.22f; float c2 = den(px + s.x * step / (s.y + 0.35f), pz + s.z * step / (s.y + 0.35f), 4);
        float lit = std::exp(-2.4f * std::max(0.0f, c2)) * (0.55f + 0.45f * std::exp(-1.5f * c));
        float mu = dot(d, s); float silver = 1 + 2.2f * std::pow(std::max(0.0f, mu), 12) * std::exp(-4 * c);
        V sunL = cloudSun * (20.0f / PI * 0.42f), amb = cloudAmb * 0.9f + base * 0.4f;
        V col = (sunL * (lit * silver) + amb) * cloudTint;
        float a = (1 - std::exp(-5.5f * c)) * smooth(0.01f, 0.16f, d.y);
        return mix(base, col, a);
    }
    V nightSky(V d) const {
        V c = mix(nightLow, nightHigh, std::pow(clampf(d.y, 0, 1), 0.45f));
        if (stars) {
            V axis = norm(V(0.55f, 0.35f, -0.75f)); float band = dot(d, axis);
            float m = std::exp(-band * band * 22) * (0.55f + 0.9f * fbm3(d * 5, 5)) - 0.35f * std::exp(-band * band * 160) * (0.6f + fbm3(d * 9 + V(4), 4));
            c += V(0.022f, 0.021f, 0.026f) * std::max(0.0f, m) * smooth(0, 0.3f, d.y);
        }
        return c;
    }
    V starLight(V d) const {
        if (!stars || d.y < 0.01f) return V(0);
        V s(0);
        for (int lay = 0; lay < 2; lay++) {
            float f = lay ? 210.0f : 90.0f; V p = d * f; int ix = int(std::floor(p.x)), iy = int(std::floor(p.y)), iz = int(std::floor(p.z));
            uint32_t h = hash3(ix + lay * 7777, iy, iz);
            if ((h & 1023) > (lay ? 30u : 26u)) continue;
            V q(ix + 0.25f + 0.5f * hf(h), iy + 0.25f + 0.5f * hf(h + 1), iz + 0.25f + 0.5f * hf(h + 2));
            float r = len(p - norm(q) * f) * (90.0f / f); float mag = std::pow(hf(h + 3), 9.0f);
            V tint = mix(V(1, 0.8f, 0.6f), V(0.7f, 0.85f, 1.2f), hf(h + 4));
            s += tint * (std::exp(-r * r * 500) * (0.12f + 2.5f * mag)) * smooth(0.0f, 0.2f, d.y);
        }
        return s;
    }
    void makeSky(int threads) {
        if (indoor) return;
        if (!night) sunCol = sunDir.y > -0.01f ? airTransmit(norm(V(sunDir.x, std::max(sunDir.y, 0.01f), sunDir.z))) * sunPower : V(0);
        cloudSun = airTransmit(norm(V(sunDir.x, std::max(sunDir.y, 0.015f), sunDir.z))); cloudAmb = scatter(V(0, 1, 0));
        std::vector<V> base(256 * 128);
        auto dirOf = [](float u, float v) { float el = v * v * PI / 2, az = 2 * PI * u; return V(std::cos(el) * std::cos(az), std::sin(el), std::cos(el) * std::sin(az)); };
        if (!night) for (int j = 0; j < 128; j++) for (int i = 0; i < 256; i++) base[j * 256 + i] = scatter(dirOf(i / 256.0f, j / 127.0f)) * skyPower;
        skyTab.resize(size_t(SW) * SH);
        auto row = [&](int j) { for (int i = 0; i < SW; i++) {
            V d = dirOf(float(i) / SW, float(j) / (SH - 1)); V c;
            if (night) c = nightSky(d);
            else c = look(base, 256, 128, float(i) / SW, float(j) / (SH - 1));
            skyTab[size_t(j) * SW + i] = cloudLayer(d, c);
        } };
        std::vector<std::thread> t;
        for (int k = 0; k < threads; k++) t.emplace_back([&, k] { for (int j = k; j < SH; j += threads) row(j); });
        for (auto &x : t) x.join();
        low.resize(LW * LH);
        for (int j = 0; j < LH; j++) for (int i = 0; i < LW; i++) {
            V s(0); int n = 0;
            for (int a = 0; a < 8; a++) for (int b = 0; b < 8; b++) { s += skyTab[size_t(std::min(SH - 1, (j * 8 + a) * SH / (LH * 8))) * SW + (i * 8 + b) * SW / (LW * 8)]; n++; }
            low[j * LW + i] = s / float(n);
        }
    }
    static V look(const std::vector<V> &t, int w, int h, float u, float v) {
        float x = u * w, y = v * (h - 1); int x0 = int(std::floor(x)), y0 = std::min(h - 2, std::max(0, int(y))); float fx = x - x0, fy = clampf(y - y0, 0, 1);
        int xa = ((x0 % w) + w) % w, xb = (xa + 1) % w;
        return mix(mix(t[size_t(y0) * w + xa], t[size_t(y0) * w + xb], fx), mix(t[size_t(y0 + 1) * w + xa], t[size_t(y0 + 1) * w + xb], fx), fy);
    }
    static void uvOf(V d, float &u, float &v) {
        u = std::atan2(d.z, d.x) / (2 * PI); if (u < 0) u += 1;
        v = std::sqrt(std::asin(clampf(d.y, 0, 1)) / (PI / 2));
    }
    V sky(V d, bool sharp) const {
        if (indoor) return indoorSky;
        if (d.y < 0) d = norm(V(d.x, 0, d.z));
        float u, v; uvOf(d, u, v);
        V c = sharp ? look(skyTab, SW, SH, u, v) : look(low, LW, LH, u, v);
        if (sharp && !night) { float m = dot(d, sunDir); float r = std::acos(clampf(m, -1, 1));
            if (r < 0.012f) c += sunCol * (60.0f * (1 - smooth(0.0045f, 0.0062f, r)) * (clouds > 0 ? std::exp(-3 * std::max(0.0f, lum(c) - 1)) : 1)); }
        if (sharp && night) c += starLight(d);
        return c;
    }
    // Share of light that fog lets through along a segment.
    float fogT(V o, V d, float t) const {
        if (fogA <= 0) return 1;
        float a = fogA * std::exp(-fogB * (std::max(o.y, -50.0f) - fogY)), k = fogB * d.y, tau;
        if (std::fabs(k * std::min(t, 1e6f)) < 1e-4f) tau = a * std::min(t, 1e5f);
        else if (k > 0) tau = a * (1 - std::exp(-std::min(60.0f, k * t))) / k;
        else tau = a * (std::exp(std::min(30.0f, -k * std::min(t, 1e5f))) - 1) / -k;
        return std::exp(-std::min(tau, 40.0f));
    }
    V fogColour(V d) const {
        if (indoor) return fogTint;
        V f = norm(V(d.x, 0.06f, d.z)); V c = (sky(f, false) * 0.75f + sky(V(0, 1, 0), false) * 0.25f) * fogGain;
        float m = std::max(0.0f, dot(d, sunDir));
        return (c + sunCol * (fogSun * (0.02f * m + 0.05f * std::pow(m, 8) + 0.1f * std::pow(m, 60)))) * fogTint;
    }
};
