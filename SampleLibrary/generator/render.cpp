// render SCENE WIDTH HEIGHT SAMPLES SEED OUT THREADS
// writes WIDTH x HEIGHT x 4 little-endian floats: linear red, green, blue and
// how much of the pixel is covered by something other than sky or ground.
#include "core.h"
#include "scenes.h"

struct Sampler {
    uint32_t px, i, n; Rng rng; int dim = 0;
    Sampler(uint32_t p, uint32_t k, uint32_t n, uint32_t seed) : px(p), i(k), n(n), rng((uint64_t(hash(p ^ hash(seed))) << 20) ^ k) {}
    // The first pairs (pixel, lens, sun, bounce) follow an even sequence over
    // the samples of one pixel; later ones are plain random.
    void pair(float &a, float &b) {
        if (dim < 6) {
            uint32_t h = hash(px * 16 + dim), k = (n & (n - 1)) ? (i + h) % n : i ^ (h & (n - 1));
            float x = hf(h + 1) + k * 0.75487767f, y = hf(h + 2) + k * 0.56984029f;
            a = x - std::floor(x); b = y - std::floor(y);
        } else { a = rng.u(); b = rng.u(); }
        dim++;
    }
};

static V cosineDir(V n, float a, float b) {
    V t, s; basis(n, t, s); float r = std::sqrt(a), p = 2 * PI * b;
    return norm(t * (r * std::cos(p)) + s * (r * std::sin(p)) + n * std::sqrt(std::max(0.0f, 1 - a)));
}
static float fresnel(float c, float ior) { float r = (1 - ior) / (1 + ior); r *= r; float m = 1 - clampf(c, 0, 1); return r + (1 - r) * m * m * m * m * m; }

struct Aov { V albedo = V(0), n = V(0); float depth = 0, cover = 0; };

static V waveNormal(const Scene &s, V p, float t, Rng &rng) {
    float k = 1 / s.waveScale, e = 0.02f * s.waveScale, fade = 1 / (1 + t * t * 2e-6f / (s.waveScale * s.waveScale));
    int oct = t < 60 * s.waveScale ? 5 : t < 300 * s.waveScale ? 3 : 2;
    auto h = [&](float x, float z) { return fbm2(x * 0.35f * k + 0.2f * std::sin(z * 0.2f * k), z * 0.7f * k, oct) + 0.25f * noise2(x * 0.09f * k, z * 0.16f * k); };
    float c = h(p.x, p.z), dx = (h(p.x + e, p.z) - c) / e, dz = (h(p.x, p.z + e) - c) / e, a = s.waveAmp * s.waveScale;
    // Waves too far away to be seen one by one still spread the reflection.
    float blur = (1 - fade) * s.waveAmp * 0.5f + s.waveAmp * 0.04f;
    float g1 = (rng.u() + rng.u() + rng.u() - 1.5f) * blur, g2 = (rng.u() + rng.u() + rng.u() - 1.5f) * blur;
    return norm(V(-dx * a * fade + g1, 1, -dz * a * fade + g2));
}

static V trace(const Scene &s, Ray r, Sampler &sm, Aov &aov) {
    V L(0), thr(1); bool spec = true, first = true, under = false; float travelled = 0;
    for (int depth = 0; depth < s.maxDepth + 6; depth++) {
        Hit h; bool hit = s.intersect(r, h);
        float T = 1;
        if (spec && s.fogA > 0 && !under) {
            T = s.fogT(r.o, r.d, hit ? h.t : 1e9f);
            if (T < 0.9999f) { L += thr * s.fogColour(r.d) * (1 - T); thr = thr * T; }
        }
        auto add = [&](V c) { if (depth > 0) { float m = std::max(c.x, std::max(c.y, c.z)); float lim = s.clampAt; if (m > lim) c = c * (lim / m); } L += c; };
        // Lamps are seen as glowing rectangles.
        if (spec) for (auto &q : s.lamps) {
            float dn = dot(r.d, q.n); if (std::fabs(dn) < 1e-6f) continue;
            float t = dot(q.p - r.o, q.n) / dn; if (t < 1e-3f || t > h.t) continue;
            V w = r.o + r.d * t - q.p; float a = dot(w, q.a) / dot(q.a, q.a), b = dot(w, q.b) / dot(q.b, q.b);
            if (a < 0 || a > 1 || b < 0 || b > 1 || dn > 0) continue;
            float bar = std::min(std::fabs(a - 0.5f), std::fabs(b - 0.5f)) < 0.02f ? 0.05f : 1;   // glazing bars
            add(thr * q.emit * bar); return L;
        }
        if (!hit) { if (first) { aov.albedo = V(0.5f); aov.n = V(0); aov.depth = 1e5f; } add(thr * s.sky(r.d, spec)); break; }
        V p = r.o + r.d * h.t; travelled += h.t;
        if (under) { V a = vexp(-s.waterAbsorb * h.t); L += thr * (V(1) - a) * s.waterBody * (lum(s.sunCol) * 0.25f * std::max(0.0f, s.sunDir.y) + lum(s.sky(V(0, 1, 0), false)) * 2); thr *= a; under = false; }
        if (h.water) {
            V n = waveNormal(s, p, travelled, sm.rng);
            if (r.d.y > 0) { break; }
            V d = r.d; float c = -dot(d, n); if (c < 0.02f) c = 0.02f;
            float f = fresnel(c, 1.33f);
            if (first) { aov.albedo = V(0.3f); aov.n = n; aov.depth = h.t; first = false; }
            if (sm.rng.u() < f) { V o = reflect(d, n); if (o.y < 0.002f) o.y = 0.002f + 0.3f * std::fabs(o.y); r = Ray{p + V(0, 1e-3f, 0), norm(o)}; }
            else {
                float e = 1 / 1.33f, k = 1 - e * e * (1 - c * c); r = Ray{p - V(0, 2e-3f, 0), norm(d * e + n * (e * c - std::sqrt(k)))}; under = true;
                Hit g; if (!s.intersect(r, g)) { L += thr * s.waterBody * (lum(s.sunCol) * 0.25f * std::max(0.0f, s.sunDir.y) + lum(s.sky(V(0, 1, 0), false)) * 2); break; }
            }
            spec = true; continue;
        }
        V gn, n; float u = 0, w = 0; int mi;
        if (h.prim >= 0) {
            const Tri &t = s.tris[h.prim]; gn = norm(cross(t.e1, t.e2)); float a = 1 - h.u - h.v;
            n = norm(t.n0 * a + t.n1 * h.u + t.n2 * h.v); u = t.u0 * a + t.u1 * h.u + t.u2 * h.v; w = t.w0 * a + t.w1 * h.u + t.w2 * h.v; mi = t.mat;
            if (dot(gn, n) < 0) gn = -gn;
        } else { const Sphere &q = s.spheres[~h.prim]; gn = n = (p - q.c) / q.r; mi = q.mat; u = std::atan2(n.z, n.x) / (2 * PI) + 0.5f; w = std::acos(clampf(n.y, -1, 1)) / PI; }
        const Mat &m = s.mats[mi];
        bool inside = dot(gn, r.d) > 0;
        V out = gn;
        if (inside) { gn = -gn; if (m.kind != GLASS) n = -n; }
        if (m.terrain) {
            float e = std::max(0.03f, travelled * 0.0012f); float c = s.height(p.x, p.z);
            n = norm(V(c - s.height(p.x + e, p.z), e, c - s.height(p.x, p.z + e)));
        }
        if (m.relief) {
            float e = std::max(m.reliefStep, travelled * 0.0006f); V t, b; basis(n, t, b); float c = m.relief(p, u, w);
            float dx = (m.relief(p + t * e, u, w) - c) / e, dy = (m.relief(p + b * e, u, w) - c) / e; n = norm(n - t * dx - b * dy);
        }
        if (m.kind != GLASS && dot(n, r.d) > -0.02f) n = norm(n - r.d * (dot(n, r.d) + 0.02f));
        Surface sf{m.col, m.emit, m.rough, 0};
        if (m.tex) m.tex(p, n, u, w, sf);
        if (first) { aov.albedo = sf.albedo; aov.n = n; aov.depth = h.t; aov.cover = m.terrain ? 0 : 1; first = false; }
        if (spec || m.kind == EMIT) { if (spec) add(thr * sf.emit); if (m.kind == EMIT) break; }
        float eps = 1e-4f * std::max(1.0f, travelled * 0.3f); if (h.prim < 0) eps = std::max(eps, 1e-4f);
        if (m.kind == GLASS) {
            float c = -dot(r.d, n); float ior = m.ior; bool in = dot(out, r.d) > 0; V nn = n;
            if (in) { nn = -n; c = -dot(r.d, nn); thr *= vexp((m.col - V(1)) * (h.t * 2)); }
            c = std::max(c, 0.0f);
            float e = in ? ior : 1 / ior, k = 1 - e * e * (1 - c * c); float f = k < 0 ? 1 : fresnel(in ? std::sqrt(std::max(0.0f, k)) : c, ior);
            if (sm.rng.u() < f) { r = Ray{p + (in ? -out : out) * eps, norm(reflect(r.d, nn))}; }
            else { thr *= mix(V(1), m.col, 0.5f); r = Ray{p - (in ? -out : out) * eps, norm(r.d * e + nn * (e * c - std::sqrt(k)))}; }
            spec = true; continue;
        }
        bool shiny = false; V dirSpec;
        if (m.kind == METAL || m.kind == COATED) {
            V hn = n; float a, b; sm.pair(a, b);
            if (sf.rough > 0) { float al = sf.rough * sf.rough, ct = std::sqrt((1 - a) / (1 + (al * al - 1) * a)), st = std::sqrt(std::max(0.0f, 1 - ct * ct)); V t, q; basis(n, t, q); hn = norm(t * (st * std::cos(2 * PI * b)) + q * (st * std::sin(2 * PI * b)) + n * ct); }
            float c = -dot(r.d, hn); if (c < 0) { hn = n; c = -dot(r.d, n); }
            if (m.kind == METAL) { float k = 1 - clampf(c, 0, 1); thr *= sf.albedo + (V(1) - sf.albedo) * (k * k * k * k * k); shiny = true; }
            else if (sm.rng.u() < fresnel(c, m.ior)) shiny = true;
            dirSpec = norm(reflect(r.d, hn));
            if (shiny) {
                if (dot(dirSpec, gn) < 0.01f) dirSpec = norm(dirSpec - gn * (2 * dot(dirSpec, gn)) + gn * 0.02f);
                // A rough reflection spreads the sun: light it as the sun's highlight.
                r = Ray{p + gn * eps, dirSpec}; spec = true;
                if (sf.rough > 0.15f && !s.indoor && !s.night) {
                    V hv = norm(s.sunDir - (p - s.eye) * (1 / std::max(1e-6f, len(p - s.eye)))); float nd = std::max(0.0f, dot(n, hv)), al = sf.rough * sf.rough, q = nd * nd * (al * al - 1) + 1;
                    float D = al * al / (PI * q * q), nl = dot(n, s.sunDir);
                    if (nl > 0) add(thr * s.visible(Ray{p + gn * eps, s.sunDir}, 1e9f) * s.sunCol * (D * 0.25f));
                    spec = false;
                    Hit g; if (!s.intersect(r, g)) { add(thr * s.sky(r.d, false)); break; }
                }
                if (depth >= s.maxDepth + 3) break;
                continue;
            }
        }
        // Lit by the sun, by the lamps, then by whatever a random direction finds.
        V brdf = sf.albedo / PI; float a, b;
        if (!s.indoor || lum(s.sunCol) > 0) {
            sm.pair(a, b); V t, q; basis(s.sunDir, t, q); float rr = std::sqrt(a) * s.sunSize; V d = norm(s.sunDir + t * (rr * std::cos(2 * PI * b)) + q * (rr * std::sin(2 * PI * b)));
            float c = dot(n, d);
            if (lum(s.sunCol) > 0) {
                if (c > 0 && (dot(gn, d) > 0 || m.terrain)) { V v = s.visible(Ray{p + gn * eps, d}, 1e9f); if (v.y > 0) add(thr * brdf * v * s.sunCol * (c * (s.fogA > 0 ? std::max(0.15f, s.fogT(p, d, 1e9f)) : 1))); }
                else if (m.kind == LEAF && c < 0) { V v = s.visible(Ray{p - gn * eps, d}, 1e9f); add(thr * brdf * V(0.9f, 1.0f, 0.5f) * v * s.sunCol * (-c * 0.9f)); }
            }
        }
        for (auto &q : s.lamps) {
            sm.pair(a, b); V d = q.p + q.a * a + q.b * b - p; float d2 = dot(d, d), dl = std::sqrt(d2); d = d / dl; float c = dot(n, d), cl = -dot(q.n, d);
            if (c > 0 && cl > 0) add(thr * brdf * s.visible(Ray{p + gn * eps, d}, dl * 0.999f) * q.emit * (c * cl * q.area / d2));
        }
        if (depth + 1 >= s.maxDepth) break;
        sm.pair(a, b); V side = n;
        if (m.kind == LEAF && sm.rng.u() < 0.35f) { side = -n; thr *= sf.albedo * V(0.95f, 1.0f, 0.6f); r = Ray{p - gn * eps, cosineDir(side, a, b)}; }
        else { thr *= sf.albedo; V d = cosineDir(n, a, b); if (dot(d, gn) < 0) { d = d - gn * (2 * dot(d, gn)); } r = Ray{p + gn * eps, d}; }
        spec = false;
        float k = std::max(thr.x, std::max(thr.y, thr.z)); if (depth > 2) { if (sm.rng.u() > k) break; thr = thr / std::max(k, 1e-3f); }
    }
    if (!(L.x >= 0) || !(L.y >= 0) || !(L.z >= 0)) return V(0);
    return L;
}

int main(int argc, char **argv) {
    if (argc < 8) { fprintf(stderr, "usage: render SCENE WIDTH HEIGHT SAMPLES SEED OUT THREADS\n"); return 2; }
    int W = atoi(argv[2]), H = atoi(argv[3]), N = atoi(argv[4]); uint32_t seed = uint32_t(atoi(argv[5])); int threads = std::max(1, atoi(argv[7]));
    Scene s; gSeed = seed;
    if (!makeScene(argv[1], seed, s)) { fprintf(stderr, "render: no scene %s\n", argv[1]); return 2; }
    s.build(); s.makeSky(threads);
    V f = norm(s.at - s.eye), rt = norm(cross(f, V(0, 1, 0))), up = cross(rt, f);
    V r2 = rt * std::cos(s.roll) + up * std::sin(s.roll); up = up * std::cos(s.roll) - rt * std::sin(s.roll); rt = r2;
    float ky = std::tan(s.fov * PI / 360), kx = ky * W / H; if (H > W) { kx = ky; ky = kx * H / W; }
    size_t P = size_t(W) * H;
    std::vector<V> col(P), alb(P), nor(P); std::vector<float> dep(P), var(P), cov(P);
    auto run = [&](int k) {
        for (int y = k; y < H; y += threads) for (int x = 0; x < W; x++) {
            size_t id = size_t(y) * W + x; V sum(0); double s1 = 0, s2 = 0; Aov acc; float cover = 0;
            for (int i = 0; i < N; i++) {
                Sampler sm(uint32_t(id), uint32_t(i), uint32_t(N), seed); float a, b; sm.pair(a, b);
                // A pixel gathers light from a little more than its own square.
                float jx = a < 0.5f ? std::sqrt(2 * a) - 1 : 1 - std::sqrt(2 - 2 * a), jy = b < 0.5f ? std::sqrt(2 * b) - 1 : 1 - std::sqrt(2 - 2 * b);
                float sx = (2 * (x + 0.5f + jx * 0.8f) / W - 1) * kx, sy = (1 - 2 * (y + 0.5f + jy * 0.8f) / H) * ky;
                sm.pair(a, b); V o = s.eye, d = f + rt * sx + up * sy;
                if (s.aperture > 0) {
                    float rr = std::sqrt(a), an = 2 * PI * b; float k7 = std::cos(PI / 7) / std::cos(std::fmod(an, 2 * PI / 7) - PI / 7); rr *= k7;   // seven blades
                    V l = (rt * (rr * std::cos(an)) + up * (rr * std::sin(an))) * s.aperture; V pf = s.eye + d * s.focus; o = s.eye + l; d = pf - o;
                }
                Aov v; V c = trace(s, Ray{o, norm(d)}, sm, v); sum += c; float l = std::min(lum(c), 50.0f); s1 += l; s2 += double(l) * l;
                acc.albedo += v.albedo; acc.n += v.n; acc.depth += std::log(v.depth + 0.01f); cover += v.cover;
            }
            col[id] = sum / float(N); alb[id] = acc.albedo / float(N); nor[id] = acc.n / float(N); dep[id] = acc.depth / N; cov[id] = cover / N;
            var[id] = float(std::max(0.0, s2 / N - (s1 / N) * (s1 / N)) / N);
        }
    };
    { std::vector<std::thread> t; for (int k = 0; k < threads; k++) t.emplace_back(run, k); for (auto &x : t) x.join(); }
    // Smooth what the few samples left uneven, but only among pixels that show
    // the same surface and differ by no more than their own uncertainty.
    std::vector<V> tmp(P); std::vector<float> vb(P);
    for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { float a = 0, n = 0; for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) { int xx = x + i, yy = y + j; if (xx < 0 || yy < 0 || xx >= W || yy >= H) continue; a += var[size_t(yy) * W + xx]; n++; } vb[size_t(y) * W + x] = a / n; }
    for (int pass = 0; pass < 3; pass++) {
        int st = 1 << pass; float kc = pass == 0 ? 14.0f : 9.0f;
        auto rows = [&](int k) { for (int y = k; y < H; y += threads) for (int x = 0; x < W; x++) {
            size_t id = size_t(y) * W + x; V sum(0); float ws = 0; static const float g[5] = {1, 4, 6, 4, 1};
            for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) {
                int xx = x + i * st, yy = y + j * st; if (xx < 0 || yy < 0 || xx >= W || yy >= H) continue;
                size_t q = size_t(yy) * W + xx; V da = alb[q] - alb[id], dn = nor[q] - nor[id]; float dd = dep[q] - dep[id], dl = lum(col[q]) - lum(col[id]);
                float e = dot(da, da) * 900 + dot(dn, dn) * 30 + dd * dd * 60 + dl * dl / (kc * (vb[id] + vb[q]) * 0.5f + 1e-9f + 1e-6f * lum(col[id]) * lum(col[id]));
                if (e > 12) continue;
                float w = g[i + 2] * g[j + 2] * std::exp(-e); sum += col[q] * w; ws += w;
            }
            tmp[id] = sum / ws;
        } };
        std::vector<std::thread> t; for (int k = 0; k < threads; k++) t.emplace_back(rows, k); for (auto &x : t) x.join();
        col.swap(tmp); for (auto &v : vb) v *= 0.3f;
    }
    // Far lamps: every pixel of the blur disc belongs to one point of the lens,
    // so whether something stands in the way is known exactly, without noise.
    for (auto &l : s.points) {
        V v = l.p - s.eye; float z = dot(v, f), x0 = dot(v, rt), y0 = dot(v, up); if (z <= 0) continue;
        float k = s.focus / z, m = 1 - k, R = s.aperture * std::fabs(m), cx = x0 * k, cy = y0 * k;
        float pw = 2 * kx * s.focus / W; float rad = std::max(R / pw, 0.8f); int px = int((cx / (kx * s.focus) + 1) * W / 2), py = int((1 - cy / (ky * s.focus)) * H / 2), q = int(rad + 2);
        for (int y = std::max(0, py - q); y <= std::min(H - 1, py + q); y++) for (int x = std::max(0, px - q); x <= std::min(W - 1, px + q); x++) {
            float c = 0;
            for (int a = 0; a < 9; a++) {
                float sx = (2 * (x + (a % 3 + 0.5f) / 3) / W - 1) * kx * s.focus, sy = (1 - 2 * (y + (a / 3 + 0.5f) / 3) / H) * ky * s.focus;
                float lx = (sx - cx) / m, ly = (sy - cy) / m, rr = std::sqrt(lx * lx + ly * ly) / s.aperture, an = std::atan2(ly, lx) + 2 * PI;
                float edge = std::cos(PI / 7) / std::cos(std::fmod(an, 2 * PI / 7) - PI / 7) * 0.6f + 0.4f; if (rr > edge) continue;
                // Off the axis the barrel of the lens cuts the disc to a cat's eye.
                float ex = lx / s.aperture + sx / (kx * s.focus) * 0.42f, ey = ly / s.aperture + sy / (kx * s.focus) * 0.42f; if (ex * ex + ey * ey > 1.25f) continue;
                V o = s.eye + rt * lx + up * ly, d = l.p - o; float dl = len(d); V vis = a == 4 || rad > 3 ? s.visible(Ray{o, d / dl}, dl * 0.99f) : V(1);
                c += vis.y * (0.85f + 0.5f * smooth(0.75f, 0.97f, rr / edge));
            }
            col[size_t(y) * W + x] += l.c * (c / 9);
        }
    }
    FILE *o = fopen(argv[6], "wb"); if (!o) { perror(argv[6]); return 1; }
    for (size_t i = 0; i < P; i++) { float q[4] = {col[i].x, col[i].y, col[i].z, cov[i]}; if (fwrite(q, 4, 4, o) != 4) { perror("write"); return 1; } }
    if (fclose(o)) { perror("write"); return 1; }
    return 0;
}
