// The scenes. Each is looked at towards -z, x to the right, metres.
#pragma once
#include "core.h"

static V sunAt(float azDeg, float elDeg) { // azimuth from straight ahead, to the right
    float a = azDeg * PI / 180, e = elDeg * PI / 180; return norm(V(std::sin(a) * std::cos(e), std::sin(e), -std::cos(a) * std::cos(e)));
}
typedef std::vector<std::pair<float, float>> Prof;

// ---------- shared textures
static void woodTex(V p, Surface &s, V dark, V light, float scale, float plank) {
    float id = plank > 0 ? std::floor(p.x / plank) : 0; V q(p.x + id * 3.7f, p.y, p.z + id * 11.3f);
    float g = noise3(V(q.x * 9 * scale, q.y * 9 * scale, q.z * 0.7f * scale)) * 1.4f + 0.35f * noise3(V(q.x * 40 * scale, q.y * 40 * scale, q.z * 2.0f * scale));
    float ring = 0.5f + 0.5f * std::sin(g * 7 + q.x * 6 * scale), fine = noise3(V(q.x * 220 * scale, q.y * 200 * scale, q.z * 5 * scale));
    V c = mix(dark, light, clampf(0.55f * ring + 0.25f + 0.22f * fine, 0, 1)) * (0.85f + 0.3f * hf(uint32_t(int(id) + 1000)));
    if (plank > 0) { float e = p.x / plank - id; e = std::min(e, 1 - e) * plank; c = c * (0.25f + 0.75f * smooth(0.0006f, 0.003f, e)); }
    s.albedo = c; s.rough = clampf(0.32f + 0.12f * fine, 0.1f, 0.6f);
}
static V landTex(V p, V n, bool sand, float snowLine, float greenness) {
    float a = fbm2(p.x * 0.03f, p.z * 0.03f, 4), b = fbm2(p.x * 0.6f, p.z * 0.6f, 4), c = noise2(p.x * 6, p.z * 6);
    V grass = mix(V(0.10f, 0.15f, 0.035f), V(0.24f, 0.23f, 0.07f), clampf(0.5f + 1.2f * a + 0.6f * b, 0, 1)) * (0.85f + 0.25f * c) * greenness;
    float st = noise2(p.y * 0.35f + fbm2(p.x * 0.05f, p.z * 0.05f, 3) * 3, a * 2);
    V rock = mix(V(0.17f, 0.15f, 0.13f), V(0.36f, 0.33f, 0.29f), clampf(0.5f + 0.5f * st + 0.5f * b, 0, 1));
    float slope = smooth(0.80f, 0.62f, n.y + 0.12f * b); V r = mix(grass, rock, slope);
    if (sand) r = mix(V(0.50f, 0.42f, 0.29f) * (0.9f + 0.15f * b + 0.08f * c) * (0.62f + 0.38f * smooth(0.1f, 0.7f, p.y)), r, smooth(1.2f, 2.6f, p.y + b));
    if (snowLine > 0) r = mix(r, V(0.85f, 0.87f, 0.9f), smooth(snowLine - 120, snowLine + 160, p.y + 260 * a + 60 * b) * smooth(0.42f, 0.66f, n.y + 0.08f * b));
    return r;
}

// ---------- shared things
static void conifer(Scene &s, V base, float h, Rng &g, int leaf, int bark, int detail) {
    float r = h * g.range(0.16f, 0.24f); int rows = int(h * detail * 0.55f) + 8;
    V lean(g.range(-0.02f, 0.02f) * h, 0, g.range(-0.02f, 0.02f) * h);
    for (int k = 0; k < 5; k++) { float a0 = 2 * PI * k / 5, a1 = 2 * PI * (k + 1) / 5, w = 0.018f * h; V a(std::cos(a0) * w, 0, std::sin(a0) * w), b(std::cos(a1) * w, 0, std::sin(a1) * w); s.tri(base + a, base + V(0, h, 0) + lean, base + b, bark); }
    for (int i = 0; i < rows; i++) {
        float t = (i + g.u() * 0.8f) / rows, y = h * (0.10f + 0.9f * t), rr = r * std::pow(1 - t, 0.8f) * g.range(0.75f, 1.2f) + 0.015f * h * (1 - t);
        int n = 5 + int(5 * (1 - t)); float ph = g.u() * 6.28f;
        for (int k = 0; k < n; k++) {
            float a = ph + 2 * PI * (k + g.range(-0.3f, 0.3f)) / n, ra = rr * g.range(0.65f, 1.15f); V o = base + V(0, y, 0) + lean * t, d(std::cos(a), 0, std::sin(a)), sd(-d.z, 0, d.x);
            float dr = ra * g.range(0.25f, 0.6f); V tip = o + d * ra - V(0, dr, 0), mid = o + d * (ra * 0.5f) + V(0, ra * 0.02f, 0); float w = ra * 0.22f;
            for (int q = 0; q < 3; q++) { float f0 = q / 3.0f + 0.12f; V c = mix(mid, tip, std::max(0.0f, (f0 - 0.3f) * 1.3f)); float ww = w * (1.25f - f0); 
                s.tri(c - d * (ra * 0.20f), c + sd * ww - V(0, ww * 0.7f, 0) + d * (ra * 0.18f), c + d * (ra * 0.16f), leaf); s.tri(c - d * (ra * 0.20f), c + d * (ra * 0.16f), c - sd * ww - V(0, ww * 0.7f, 0) + d * (ra * 0.18f), leaf); }
        }
    }
}
static void grassBlade(Scene &s, V b, float h, float w, float a, float bend, int m) {
    V d(std::cos(a), 0, std::sin(a)), sd(-d.z, 0, d.x); V p0 = b, p1 = b + V(0, h * 0.45f, 0) + d * (bend * 0.18f), p2 = b + V(0, h * 0.82f, 0) + d * (bend * 0.55f), p3 = b + V(0, h, 0) + d * bend;
    s.tri(p0 - sd * w, p1 - sd * (w * 0.8f), p1 + sd * (w * 0.8f), m); s.tri(p0 - sd * w, p1 + sd * (w * 0.8f), p0 + sd * w, m);
    s.tri(p1 - sd * (w * 0.8f), p2 - sd * (w * 0.45f), p2 + sd * (w * 0.45f), m); s.tri(p1 - sd * (w * 0.8f), p2 + sd * (w * 0.45f), p1 + sd * (w * 0.8f), m); s.tri(p2 - sd * (w * 0.45f), p3, p2 + sd * (w * 0.45f), m);
}
static void lighthouse(Scene &s, V b, float k) {
    Mat m; m.kind = COATED; m.rough = 0.4f; float y0 = b.y, hk = 20 * k; m.tex = [y0, hk](V p, V, float, float, Surface &f) { int i = int((p.y - y0) / hk * 5); f.albedo = (i & 1) ? V(0.62f, 0.05f, 0.04f) : V(0.8f, 0.78f, 0.74f); f.albedo = f.albedo * (0.9f + 0.15f * fbm3(p * 0.8f, 3)); };
    int tower = s.mat(m), dark = s.mat(COATED, V(0.06f), 0.3f), red = s.mat(COATED, V(0.5f, 0.04f, 0.03f), 0.3f), white = s.mat(DIFFUSE, V(0.75f)); Mat e; e.kind = EMIT; e.emit = V(30, 22, 12); int lampM = s.mat(e);
    s.lathe(b - V(0, 2, 0), Prof{{3.1f * k, 0}, {2.9f * k, 4 * k}, {2.1f * k, 22 * k}}, tower, 40);
    s.lathe(b + V(0, 19.9f * k, 0), Prof{{2.1f * k, 0}, {3.0f * k, 0.5f * k}, {3.0f * k, 0.9f * k}, {0, 0.9f * k}}, dark, 40);
    for (int i = 0; i < 14; i++) { float a = 2 * PI * i / 14; s.box(b + V(2.85f * k * std::cos(a), 21.3f * k, 2.85f * k * std::sin(a)), V(0.05f, 0.6f, 0.05f) * k, a, dark); }
    s.lathe(b + V(0, 21.8f * k, 0), Prof{{2.9f * k, 0}, {2.9f * k, 0.12f * k}}, dark, 30);
    for (int i = 0; i < 8; i++) { float a = 2 * PI * i / 8; s.box(b + V(1.35f * k * std::cos(a), 22.1f * k, 1.35f * k * std::sin(a)), V(0.08f, 1.3f, 0.08f) * k, a, dark); }
    s.sphere(b + V(0, 22.1f * k, 0), 0.6f * k, lampM);
    s.lathe(b + V(0, 23.3f * k, 0), Prof{{1.75f * k, 0}, {1.5f * k, 0.5f * k}, {0.8f * k, 1.3f * k}, {0.15f * k, 1.7f * k}, {0.1f * k, 2.6f * k}, {0, 2.6f * k}}, red, 32);
    s.box(b + V(5.5f * k, 1.6f * k, 1), V(3, 2, 2.2f) * k, 0.2f, white);
    V c = b + V(5.5f * k, 3.6f * k, 1); float cs = std::cos(0.2f), sn = std::sin(0.2f); auto R = [&](float x, float y, float z) { return c + V(x * cs + z * sn, y, -x * sn + z * cs) * k; };
    s.quad(R(-3.3f, -0.1f, 2.5f), R(3.3f, -0.1f, 2.5f), R(3.3f, 1.7f, 0), R(-3.3f, 1.7f, 0), red); s.quad(R(-3.3f, -0.1f, -2.5f), R(-3.3f, 1.7f, 0), R(3.3f, 1.7f, 0), R(3.3f, -0.1f, -2.5f), red);
    s.tri(R(-3, 0, 2.2f), R(-3, 1.7f, 0), R(-3, 0, -2.2f), white); s.tri(R(3, 0, 2.2f), R(3, 0, -2.2f), R(3, 1.7f, 0), white);
}
static void sailboat(Scene &s, V b, float k, float heading, V hullCol, V sailCol, float heel) {
    int hull = s.mat(COATED, hullCol, 0.2f), deck = s.mat(DIFFUSE, V(0.42f, 0.28f, 0.15f)), mast = s.mat(COATED, V(0.5f, 0.45f, 0.38f), 0.3f); int sail = s.mat(LEAF, sailCol);
    float cs = std::cos(heading), sn = std::sin(heading), ch = std::cos(heel), sh = std::sin(heel);
    auto R = [&](float x, float y, float z) { float yy = y * ch - z * sh, zz = y * sh + z * ch; return b + V(x * cs + zz * sn, yy, -x * sn + zz * cs) * k; };
    const int N = 16; V l[N + 1], r[N + 1], kb[N + 1], ml[N + 1], mr[N + 1];
    for (int i = 0; i <= N; i++) { float t = float(i) / N, x = mixf(-3.4f, 4, t), w = 1.15f * std::pow(std::max(0.0f, std::sin(PI * clampf(0.12f + 0.88f * t, 0, 1))), 0.65f) * (t > 0.98f ? 0.02f : 1), y = 0.75f + 0.45f * (t - 0.4f) * (t - 0.4f) * 2; l[i] = R(x, y, w); r[i] = R(x, y, -w); ml[i] = R(x * 0.97f, 0.15f, w * 0.86f); mr[i] = R(x * 0.97f, 0.15f, -w * 0.86f); kb[i] = R(x * 0.9f, -0.5f, 0); }
    for (int i = 0; i < N; i++) { s.quad(l[i], l[i + 1], ml[i + 1], ml[i], hull); s.quad(ml[i], ml[i + 1], kb[i + 1], kb[i], hull); s.quad(r[i], mr[i], mr[i + 1], r[i + 1], hull); s.quad(mr[i], kb[i], kb[i + 1], mr[i + 1], hull); s.quad(l[i], r[i], r[i + 1], l[i + 1], deck); }
    s.quad(l[0], ml[0], mr[0], r[0], hull); s.box(R(-0.2f, 1.05f, 0), V(1.2f, 0.3f, 0.6f) * k, heading, s.mat(COATED, V(0.8f), 0.3f));
    V m0 = R(0.7f, 0.8f, 0), m1 = R(0.7f, 10.4f, 0); V t, q; basis(norm(m1 - m0), t, q); for (int i = 0; i < 6; i++) { float a = 2 * PI * i / 6, a2 = 2 * PI * (i + 1) / 6, w = 0.08f * k; s.quad(m0 + t * (w * std::cos(a)) + q * (w * std::sin(a)), m0 + t * (w * std::cos(a2)) + q * (w * std::sin(a2)), m1 + t * (w * std::cos(a2)) + q * (w * std::sin(a2)), m1 + t * (w * std::cos(a)) + q * (w * std::sin(a)), mast); }
    const int U = 10; auto sailPt = [&](float u, float v, bool main) { // bellied cloth between the mast and the sheet
        float y = main ? 1.7f + 8.4f * v : 1.0f + 7.6f * v, x0 = main ? 0.6f : 0.85f + 3.0f * (1 - v), x1 = main ? 0.6f - 3.7f * (1 - v) * (1 + 0.25f * v) : 0.8f - 0.4f * (1 - v); float bel = 0.55f * std::sin(PI * std::min(1.0f, u * 0.95f + 0.02f)) * (1 - v) * 1.2f + 0.4f * u * (1 - v); return R(mixf(x0, x1, u), y, bel); };
    for (int w = 0; w < 2; w++) for (int i = 0; i < U; i++) for (int j = 0; j < U; j++) { float a = i / float(U), c = (i + 1) / float(U), d = j / float(U), e = (j + 1) / float(U); s.quad(sailPt(a, d, w), sailPt(c, d, w), sailPt(c, e, w), sailPt(a, e, w), sail); }
    s.box(R(-1.3f, 1.65f, 0.25f), V(1.9f, 0.06f, 0.06f) * k, heading + 0.1f, mast);
}

// ---------- coast
static float coastH(float x, float z) {
    float w = fbm2(x * 0.008f, z * 0.008f, 4) * 60, d = -x - 28 + w + 0.02f * z;         // land lies to the left
    float head = 95 - std::sqrt((x - 12) * (x - 12) * 1.2f + (z + 330) * (z + 330) * 2.2f) + 0.7f * w; d = std::max(d, head);
    float isl = 30 - std::sqrt((x - 330) * (x - 330) * 0.5f + (z + 900) * (z + 900)) * 0.25f + 0.5f * w; d = std::max(d, isl);
    float cliff = smooth(8, 26, d + 8 * noise2(x * 0.06f, z * 0.06f)), h = -6 + 8 * smooth(-30, 10, d) + cliff * (15 + 10 * fbm2(x * 0.01f + 9, z * 0.01f, 3)) + std::max(0.0f, d - 26) * 0.12f;
    h += fbm2(x * 0.05f, z * 0.05f, 6) * (3.5f * smooth(-14, 12, d)) + ridged2(x * 0.09f, z * 0.09f, 4) * 3.0f * cliff * (1 - smooth(22, 40, d));
    float r = ridged2(x * 0.03f + 4, z * 0.03f, 3); if (d < 4 && d > -40 && z > -300) h += std::max(0.0f, r - 0.62f) * 26 * smooth(-40, -12, d);
    return h;
}
static void coast(Scene &s, const std::string &v) {
    s.height = coastH; s.water = true; s.waveAmp = 0.10f; s.waveScale = 1.4f; s.fov = 38; s.eye = V(18, 9, 0); s.at = V(2, 11, -200);
    if (v == "day") { s.sunDir = sunAt(-70, 38); s.clouds = 0.44f; s.cloudScale = 0.8f; s.fogA = 0.00012f; s.fogB = 0.004f; }
    if (v == "sunset") { s.eye = V(60, 4.5f, 20); s.at = V(34, 12, -200); s.sunDir = sunAt(13, 3.5f); s.clouds = 0.46f; s.cloudScale = 0.6f; s.cloudStreaks = true; s.fogA = 0.0004f; s.fogB = 0.01f; s.haze = 1.6f; s.fov = 40; }
    if (v == "fog") { s.eye = V(35, 6, -60); s.at = V(8, 16, -300); s.fov = 30; s.sunDir = sunAt(40, 16); s.fogA = 0.013f; s.fogB = 0.055f; s.fogY = 0; s.haze = 1.5f; s.waveAmp = 0.05f; s.fogSun = 0.5f; }
    Mat m; m.terrain = true; m.tex = [](V p, V n, float, float, Surface &f) { f.albedo = landTex(p, n, true, 0, 1); }; int land = s.mat(m);
    s.terrain(land, 3, 2600, 760, 760, 0.75f);
    lighthouse(s, V(16, coastH(16, -318) - 0.6f, -318), 0.95f);
    if (v != "fog") { sailboat(s, V(95, 0, -260), 1.0f, 0.5f, V(0.75f), V(0.85f, 0.82f, 0.75f), 0.12f); sailboat(s, V(160, 0, -480), 1.1f, 0.8f, V(0.1f, 0.14f, 0.3f), V(0.85f, 0.4f, 0.25f), 0.1f); }
}

// ---------- mountains
static float alpsH(float x, float z) {
    float d = std::sqrt(x * x + (z + 200) * (z + 200)); float val = smooth(700, 5200, d - 0.25f * std::fabs(x));
    float side = smooth(180, 2600, std::fabs(x + 0.10f * z) - 60 * fbm2(z * 0.004f, 3, 3));
    float m = ridged2(x * 0.00023f + 5.2f, z * 0.00023f + 1.7f, 10), f = fbm2(x * 0.002f, z * 0.002f, 6);
    float lake = smooth(0, 420, std::sqrt(x * x * 1.7f + (z + 560) * (z + 560) * 0.42f) - 310 + 130 * fbm2(x * 0.006f, z * 0.006f, 4));
    return -8 + lake * (14 + 22 * f) + m * m * 2900 * std::max(val, 0.55f * side * smooth(300, 2500, d)) + 90 * side * (0.4f + f) + 1.2f * fbm2(x * 0.08f, z * 0.08f, 5);
}
static void alps(Scene &s, const std::string &v) {
    s.height = alpsH; s.water = true; s.waveAmp = 0.018f; s.waveScale = 2.2f; s.eye = V(0, 9, -250); s.at = V(0, 10 + 115, -1250); s.fov = 44; s.waterBody = V(0.01f, 0.06f, 0.07f);
    if (v == "noon") { s.sunDir = sunAt(-105, 40); s.clouds = 0.40f; s.cloudScale = 0.7f; s.fogA = 0.000045f; s.fogB = 0.0007f; }
    if (v == "glow") { s.sunDir = sunAt(-128, 4.0f); s.clouds = 0.34f; s.cloudScale = 0.5f; s.cloudStreaks = true; s.fogA = 0.0007f; s.fogB = 0.012f; s.fogGain = 0.9f; s.haze = 0.8f; s.eye = V(40, 14, -250); s.at = V(-60, 150, -1250); s.fov = 40; s.waveAmp = 0.01f; }
    if (v == "stars") { s.night = true; s.stars = true; s.sunDir = sunAt(60, 22); s.sunCol = V(0.022f, 0.026f, 0.036f); s.eye = V(-10, 8, -250); s.at = V(30, 300, -1250); s.fov = 58; s.waveAmp = 0.006f; s.nightLow = V(0.020f, 0.026f, 0.040f); s.nightHigh = V(0.0035f, 0.006f, 0.016f); }
    Mat m; m.terrain = true; m.tex = [](V p, V n, float, float, Surface &f) { f.albedo = landTex(p, n, false, 620, 0.8f);
        float fo = smooth(0.72f, 0.85f, n.y) * smooth(30, 60, p.y) * smooth(430, 330, p.y + 160 * fbm2(p.x * 0.01f, p.z * 0.01f, 4)); f.albedo = mix(f.albedo, V(0.022f, 0.04f, 0.018f) * (1 + 0.8f * noise2(p.x * 0.12f, p.z * 0.12f)), fo * 0.9f); }; int land = s.mat(m);
    s.terrain(land, 4, 15000, 900, 800, 0.85f);
    Mat lm; lm.kind = LEAF; lm.tex = [](V p, V, float, float, Surface &f) { f.albedo = mix(V(0.025f, 0.055f, 0.022f), V(0.06f, 0.10f, 0.03f), clampf(0.5f + 0.7f * noise3(p * 0.6f), 0, 1)); }; int leaf = s.mat(lm), bark = s.mat(DIFFUSE, V(0.10f, 0.07f, 0.05f));
    Rng g(77); float shift = s.eye.x;
    for (int i = 0; i < 700; i++) { float r = i < 40 ? g.range(45, 130) : g.range(120, 1300), a = g.range(-0.75f, 0.75f); if (i < 40 && std::fabs(a) < 0.23f) continue; float x = shift + r * std::sin(a), z = -250 - r * std::cos(a), y = alpsH(x, z); if (y < 1.2f || y > 260) continue; if (i >= 40 && fbm2(x * 0.01f, z * 0.01f, 3) < -0.10f) continue; conifer(s, V(x, y - 0.5f, z), g.range(9, 19), g, leaf, bark, r < 300 ? 3 : 1); }
}

// ---------- dunes
static float duneBase(float x, float z) {
    float wx = x + 26 * fbm2(x * 0.009f + 3, z * 0.009f, 3), n = noise2(wx * 0.011f + 0.4f * noise2(z * 0.006f, 7), z * 0.0062f);
    float sharp = 1 - std::fabs(n) * 1.15f; float big = std::pow(clampf(sharp, 0, 1), 1.7f), n2 = 1 - std::fabs(noise2(wx * 0.031f + 9, z * 0.02f + 2));
    float far = smooth(150, 1400, -z); return big * (15 + 30 * far) + n2 * n2 * 2.2f;
}
static float dunesH(float x, float z) {
    float h = duneBase(x, z); float q = z * 9 + x * 3.1f + 7 * fbm2(x * 0.25f, z * 0.25f, 3); return h + 0.014f * std::sin(q) + 0.004f * noise2(x * 9, z * 9);
}
static void dunes(Scene &s, const std::string &v) {
    s.height = dunesH; s.haze = 1.4f; s.fogA = 0.00010f; s.fogB = 0.004f; s.fov = 40; s.eye = V(0, 0, 0); 
    if (v == "low") { s.eye = V(40, 0, -20); s.sunDir = sunAt(-82, 13); }
    if (v == "dusk") { s.eye = V(140, 0, 60); s.sunDir = sunAt(24, 6); s.clouds = 0.42f; s.cloudScale = 0.45f; s.cloudStreaks = true; s.fov = 36; s.haze = 2; }
    s.eye.y = duneBase(s.eye.x, s.eye.z) + (v == "dusk" ? 13 : 6.5f); s.at = s.eye + V(6, v == "dusk" ? -11 : -8, -90);
    Mat m; m.terrain = true; m.tex = [](V p, V, float, float, Surface &f) { f.albedo = V(0.58f, 0.36f, 0.18f) * (0.95f + 0.15f * fbm2(p.x * 0.4f, p.z * 0.4f, 4) + 0.07f * noise2(p.x * 31, p.z * 31)); };
    s.terrain(s.mat(m), 1.5f, 4500, 900, 800, 0.75f);
}

// ---------- meadow
static void meadow(Scene &s, const std::string &v) {
    s.height = [](float x, float z) { return 0.25f * noise2(x * 0.15f, z * 0.15f) + smooth(-14, -160, z) * (6 + 16 * fbm2(x * 0.012f + 2, z * 0.012f, 4)); };
    s.eye = V(0, 0.42f + s.height(0, 0), 0); s.at = s.eye + V(0, -0.03f, -1); s.fov = 26; s.aperture = 0.017f; s.focus = 1.22f; s.sunDir = sunAt(-24, 15); s.haze = 2; s.clouds = 0.3f; s.fogA = 0.0035f; s.fogB = 0.05f; s.fogSun = 0.6f;
    if (v == "noon") { s.sunDir = sunAt(-130, 42); s.clouds = 0.44f; s.haze = 1; s.fogA = 0.0004f; s.aperture = 0.011f; s.eye.y += 0.04f; s.focus = 1.05f; }
    Mat gm; gm.terrain = true; gm.tex = [](V p, V, float, float, Surface &f) { f.albedo = mix(V(0.05f, 0.08f, 0.02f), V(0.14f, 0.18f, 0.05f), clampf(0.5f + noise2(p.x * 0.4f, p.z * 0.4f), 0, 1)); }; s.terrain(s.mat(gm), 0.2f, 400, 260, 260, 0.9f);
    Mat bm; bm.kind = LEAF; bm.tex = [](V p, V, float, float, Surface &f) { float k = noise2(p.x * 7, p.z * 7); f.albedo = mix(V(0.10f, 0.20f, 0.03f), V(0.26f, 0.30f, 0.07f), clampf(0.45f + 0.6f * k, 0, 1)); }; int blade = s.mat(bm);
    int stem = s.mat(LEAF, V(0.14f, 0.22f, 0.06f)); Mat wm; wm.kind = LEAF; wm.col = V(0.85f, 0.84f, 0.80f); int white = s.mat(wm); int red = s.mat(LEAF, V(0.72f, 0.05f, 0.025f)), blue = s.mat(LEAF, V(0.16f, 0.20f, 0.65f)), black = s.mat(DIFFUSE, V(0.02f)); Mat ym; ym.col = V(0.75f, 0.48f, 0.03f); ym.relief = [](V p, float, float) { return 0.0012f * noise3(p * 900.0f); }; ym.reliefStep = 0.0003f; int yellow = s.mat(ym);
    Rng g(v == "noon" ? 12 : 5); auto spot = [&](float r0, float r1, V &p) { float r = r0 * std::pow(r1 / r0, g.u()), a = g.range(-0.5f, 0.5f); p = V(s.eye.x + r * std::sin(a), 0, -r * std::cos(a)); p.y = s.height(p.x, p.z); return r; };
    for (int i = 0; i < 60000; i++) { V p; float r = spot(0.45f, 26, p); float h = g.range(0.16f, 0.34f) * (r < 0.9f ? 0.75f : 1); grassBlade(s, p, h, g.range(0.0015f, 0.0035f) * (1 + r * 0.22f), g.u() * 6.28f, h * g.range(0.1f, 0.6f), blade); }
    auto flower = [&](V p, int kind, float k) {
        float h = g.range(0.30f, 0.43f) * k; V top = p + V(g.range(-0.03f, 0.03f), h, g.range(-0.03f, 0.03f)); V ax = norm(V(g.range(-0.4f, 0.4f), 1, g.range(0.0f, 0.75f))), t, b; basis(ax, t, b);
        for (int k2 = 0; k2 < 3; k2++) { float a = k2 * 2.094f, a2 = a + 2.094f; V d(std::cos(a) * 0.0022f, 0, std::sin(a) * 0.0022f), e(std::cos(a2) * 0.0022f, 0, std::sin(a2) * 0.0022f); s.quad(p + d, p + e, top + e, top + d, stem); }
        if (kind == 0) { s.blob(top + ax * 0.003f, V(0.0095f, 0.006f, 0.0095f), 0.05f, 4, 3, yellow, 20); int n = 19; for (int i = 0; i < n; i++) { float a = 2 * PI * (i + g.range(-0.2f, 0.2f)) / n, L = g.range(0.022f, 0.028f), up = g.range(-0.12f, 0.18f); V d = t * std::cos(a) + b * std::sin(a), q = cross(ax, d); V p0 = top + d * 0.006f, p1 = top + d * (L * 0.6f) + ax * (L * up * 0.8f), p2 = top + d * L + ax * (L * up); float w = 0.0034f; s.quad(p0 - q * (w * 0.5f), p0 + q * (w * 0.5f), p1 + q * w, p1 - q * w, white); s.quad(p1 - q * w, p1 + q * w, p2 + q * (w * 0.55f), p2 - q * (w * 0.55f), white); } }
        else { // four to five cupped petals
            int n = 5, m = kind == 1 ? red : blue; float R = kind == 1 ? 0.036f : 0.022f; for (int i = 0; i < n; i++) { float a0 = 2 * PI * i / n + 0.3f; const int U = 5; V gp[U + 1][U + 1]; for (int x = 0; x <= U; x++) for (int y = 0; y <= U; y++) { float tt = float(y) / U, a = a0 + (float(x) / U - 0.5f) * 1.75f * std::pow(tt, 0.5f); V d = t * std::cos(a) + b * std::sin(a); float rr = R * tt * (1 - 0.10f * std::pow(std::fabs(2.0f * x / U - 1), 3.0f)); gp[x][y] = top + d * (rr * (0.95f - 0.2f * tt)) + ax * (R * 0.85f * tt * tt + 0.0035f * std::sin(a * 17) * tt); } for (int x = 0; x < U; x++) for (int y = 0; y < U; y++) s.quad(gp[x][y], gp[x + 1][y], gp[x + 1][y + 1], gp[x][y + 1], m); }
            s.blob(top + ax * 0.006f, V(0.006f, 0.008f, 0.006f), 0.1f, 5, 4, black, 12); }
    };
    flower(V(-0.13f, s.height(-0.13f, -1.22f), -1.22f), v == "noon" ? 0 : 1, 1.10f); flower(V(0.10f, s.height(0.10f, -1.30f), -1.30f), v == "noon" ? 0 : 1, 1.0f); flower(V(0.21f, s.height(0.21f, -1.16f), -1.16f), v == "noon" ? 2 : 0, 0.95f); flower(V(-0.02f, s.height(0, -1.08f), -1.08f), 0, 0.86f); flower(V(-0.27f, s.height(-0.27f, -1.4f), -1.4f), 0, 0.97f);
    for (int i = 0; i < 420; i++) { V p; float r = spot(1.4f, 22, p); (void)r; float k = noise2(p.x * 0.7f + 3, p.z * 0.7f); flower(p, v == "noon" ? (k > 0.25f ? 2 : 0) : (k > -0.05f ? 1 : 0), g.range(0.85f, 1.1f)); }
    Mat tm; tm.kind = LEAF; tm.tex = [](V p, V, float, float, Surface &f) { f.albedo = mix(V(0.03f, 0.07f, 0.02f), V(0.10f, 0.15f, 0.04f), clampf(0.5f + 0.8f * noise3(p * 0.9f), 0, 1)); }; int tree = s.mat(tm);
    for (int i = 0; i < 46; i++) { float x = g.range(-60, 60), z = g.range(-70, -130), y = s.height(x, z); for (int k = 0; k < 4; k++) s.blob(V(x + g.range(-3, 3), y + g.range(2, 7), z + g.range(-2, 2)), V(g.range(2, 4.5f), g.range(2, 4), g.range(2, 4)), 0.5f, 3, i * 7 + k, tree, 20); }
}

// ---------- forest
static void forest(Scene &s, const std::string &v) {
    s.height = [](float x, float z) { return 3.0f * fbm2(x * 0.03f, z * 0.03f, 4) + 0.5f * fbm2(x * 0.4f, z * 0.4f, 3) + smooth(0, -420, z) * 46 + 0.0012f * x * x; };
    s.eye = V(0, s.height(0, 0) + 7.5f, 0); s.at = s.eye + V(0, 2.5f, -40); s.fov = 38; s.sunDir = sunAt(16, 20); s.fogA = 0.0085f; s.fogB = 0.022f; s.fogY = s.eye.y; s.fogSun = 1.2f; s.haze = 2.2f; bool snow = v == "winter";
    if (snow) { s.sunDir = sunAt(-60, 15); s.fogA = 0.0042f; s.fogB = 0.01f; s.eye = V(120, 0, -60); s.eye.y = s.height(120, -60) + 5; s.at = s.eye + V(-10, 3.6f, -40); s.haze = 1; s.clouds = 0.36f; s.fogY = s.eye.y; s.fogSun = 0.4f; }
    Mat gm; gm.terrain = true; gm.tex = [snow](V p, V n, float, float, Surface &f) { if (snow) { f.albedo = V(0.84f, 0.86f, 0.90f); return; } (void)n; float a = fbm2(p.x * 0.7f, p.z * 0.7f, 5); f.albedo = mix(V(0.09f, 0.085f, 0.03f), V(0.22f, 0.20f, 0.07f), clampf(0.5f + a, 0, 1)); }; s.terrain(s.mat(gm), 1.5f, 900, 420, 420, 0.8f);
    Mat lm; lm.kind = LEAF; lm.tex = [snow](V p, V n, float, float, Surface &f) { f.albedo = mix(V(0.03f, 0.062f, 0.03f), V(0.08f, 0.12f, 0.035f), clampf(0.5f + 0.7f * noise3(p * 0.7f), 0, 1)); if (snow && noise3(p * 1.7f) + 0.55f * std::fabs(n.y) > 0.12f) f.albedo = V(0.8f, 0.83f, 0.88f); }; int leaf = s.mat(lm), bark = s.mat(DIFFUSE, V(0.09f, 0.065f, 0.05f));
    Rng g(snow ? 8 : 41); for (int i = 0; i < (snow ? 330 : 420); i++) { float r = 38 * std::pow(11.0f, g.u()), a = g.range(-0.7f, 0.7f); if (r < 90 && a > -0.20f && a < 0.24f) continue; if (fbm2(s.eye.x + r * std::sin(a) * 0.03f, r * 0.03f, 3) < -0.12f) continue; float x = s.eye.x + r * std::sin(a), z = s.eye.z - r * std::cos(a); conifer(s, V(x, s.height(x, z) - 0.4f, z), g.range(8, 21), g, leaf, bark, r < 70 ? 4 : r < 160 ? 2 : 1); }
    Mat bm; bm.kind = LEAF; bm.tex = [snow](V p, V, float, float, Surface &f) { f.albedo = snow ? V(0.45f, 0.38f, 0.28f) : mix(V(0.13f, 0.15f, 0.04f), V(0.30f, 0.26f, 0.10f), clampf(0.5f + noise2(p.x, p.z), 0, 1)); }; int blade = s.mat(bm);
    for (int i = 0; i < (snow ? 2500 : 30000); i++) { float r = 3 * std::pow(16.0f, g.u()), a = g.range(-0.6f, 0.6f); V p(s.eye.x + r * std::sin(a), 0, s.eye.z - r * std::cos(a)); p.y = s.height(p.x, p.z); float h = g.range(0.25f, 0.8f); grassBlade(s, p, h, 0.006f + r * 0.0006f, g.u() * 6.28f, h * g.range(0.1f, 0.7f), blade); }
}

// ---------- balloons
static void balloons(Scene &s, const std::string &v) {
    s.height = [](float x, float z) { float r = ridged2(x * 0.0011f + 3, z * 0.0011f, 6), d = smooth(0, 3500, -z); return 30 * fbm2(x * 0.004f, z * 0.004f, 5) + r * r * (60 + 260 * d) + 2 * fbm2(x * 0.05f, z * 0.05f, 4); };
    s.eye = V(0, 150, 0); s.at = V(0, 150 + 8, -500); s.fov = 36; s.sunDir = sunAt(-58, 11); s.fogA = 0.0016f; s.fogB = 0.022f; s.fogY = 30; s.haze = 1.7f; s.clouds = 0.36f; s.cloudScale = 0.5f; s.cloudStreaks = true; s.fogSun = 0.4f;
    if (v == "dawn") { s.sunDir = sunAt(14, 4.5f); s.fov = 42; s.eye = V(700, 175, -400); s.at = s.eye + V(0, 30, -500); }
    Mat m; m.terrain = true; m.tex = [](V p, V n, float, float, Surface &f) { f.albedo = landTex(p, n, false, 0, 0.85f); float k = smooth(0.02f, 0.12f, fbm2(p.x * 0.006f, p.z * 0.006f, 5)); f.albedo = mix(f.albedo, V(0.03f, 0.055f, 0.02f) * (1 + noise2(p.x * 0.1f, p.z * 0.1f)), k); }; s.terrain(s.mat(m), 60, 14000, 700, 640, 0.8f);
    int basket = s.mat(DIFFUSE, V(0.28f, 0.17f, 0.07f)), rope = s.mat(DIFFUSE, V(0.15f));
    static const V pal[8] = {V(0.75f, 0.06f, 0.04f), V(0.85f, 0.55f, 0.05f), V(0.05f, 0.22f, 0.60f), V(0.85f, 0.83f, 0.78f), V(0.04f, 0.40f, 0.30f), V(0.50f, 0.08f, 0.42f), V(0.90f, 0.30f, 0.05f), V(0.08f, 0.10f, 0.2f)};
    auto balloon = [&](V b, float k, int a, int c, int style) {
        Mat bm; bm.kind = LEAF; V ca = pal[a], cc = pal[c]; bm.tex = [ca, cc, style](V, V, float u, float w, Surface &f) { float g = u * 16; bool on = style == 0 ? (int(g) & 1) : style == 1 ? ((int(g) + int(w * 9)) & 1) : style == 2 ? (w > 0.42f && w < 0.66f) : (std::fmod(g * 0.5f + w * 5, 2.0f) < 1); f.albedo = on ? ca : cc; f.albedo = f.albedo * (0.8f + 0.2f * smooth(0, 0.08f, std::fabs(std::fmod(g, 1.0f) - 0.5f) < 0.45f ? 1 : 0)); }; int em = s.mat(bm);
        Prof p; for (int i = 0; i <= 30; i++) { float t = i / 30.0f; float y = mixf(-1.28f, 1, t), r; if (y > -0.25f) r = std::sqrt(std::max(0.0f, 1 - std::pow((y + 0.0f), 2.0f))); else r = mixf(0.22f, std::sqrt(1 - 0.0625f), std::pow(smooth(-1.75f, -0.25f, y) * 1.0f, 0.9f) * 1.0f - 0.0f) ; if (y <= -0.25f) { float q = (y + 1.28f) / 1.03f; r = 0.20f + (0.968f - 0.20f) * (1.25f * q - 0.25f * q * q); r = std::min(r, 0.968f); } p.push_back({std::max(0.0f, r), y}); } s.lathe(b, [&] { Prof q; for (auto &x : p) q.push_back({x.first * 9 * k, x.second * 9.6f * k}); return q; }(), em, 64);
        V bk = b - V(0, 16.2f * k, 0); s.box(bk, V(0.85f, 0.65f, 0.85f) * k, 0.3f, basket); for (int i = 0; i < 4; i++) { float an = PI / 4 + i * PI / 2 + 0.3f; V d(std::cos(an), 0, std::sin(an)); V lo = bk + d * (1.1f * k) + V(0, 0.6f * k, 0), hi = b + d * (1.8f * k) - V(0, 12.1f * k, 0); V q(0.05f * k, 0, 0); s.quad(lo - q, lo + q, hi + q, hi - q, rope); q = V(0, 0, 0.05f * k); s.quad(lo - q, lo + q, hi + q, hi - q, rope); }
    };
    if (v == "alone" || v == "empty") { s.eye = V(0, 100, 0); s.at = V(0, 100, -60); s.fov = 36; s.tris.clear(); s.fogA = 0; s.sunDir = sunAt(-120, 35); s.clouds = 0; s.haze = 1; s.aperture = 0.9f; s.focus = 47; if (v == "empty") return; balloon(V(-3.5f, 103, -50), 1, 1, 2, 3); balloon(V(13, 99, -135), 1, 0, 3, 0); return; }
    V o = s.eye; if (v == "dawn") { balloon(o + V(-16, 4, -120), 1, 0, 1, 0); balloon(o + V(34, 40, -210), 1, 2, 3, 3); balloon(o + V(-75, 62, -330), 1.1f, 6, 3, 1); balloon(o + V(75, -18, -420), 1, 4, 1, 2); balloon(o + V(-150, -22, -560), 1, 5, 1, 0); balloon(o + V(170, 90, -700), 1, 0, 3, 3); balloon(o + V(20, 130, -900), 1, 1, 2, 0); }
    else { balloon(o + V(24, 10, -105), 1, 1, 2, 3); balloon(o + V(-38, 30, -190), 1, 0, 3, 0); balloon(o + V(-18, -16, -320), 1, 4, 3, 1); balloon(o + V(72, 52, -380), 1, 5, 1, 0); balloon(o + V(-140, 70, -520), 1, 6, 7, 2); balloon(o + V(10, 95, -640), 1, 2, 1, 3); balloon(o + V(210, 0, -800), 1, 0, 1, 1); balloon(o + V(-230, -10, -900), 1, 3, 2, 0); balloon(o + V(-60, 40, -1300), 1, 1, 0, 0); }
}

// ---------- still life
static void table(Scene &s, float y, V dark, V light) {
    Mat m; m.kind = COATED; m.tex = [=](V p, V, float, float, Surface &f) { woodTex(V(p.z, p.y, p.x), f, dark, light, 1.0f, 0.17f); }; m.relief = [](V p, float, float) { return 0.0004f * noise3(V(p.x * 12, 0, p.z * 260)); }; m.reliefStep = 0.0006f; int w = s.mat(m); s.box(V(0, y - 0.03f, -0.3f), V(1.7f, 0.03f, 1.1f), 0, w);
}
static Prof smoothProf(const Prof &in, int per) { // Catmull-Rom through the given points
    Prof o; int n = int(in.size()); for (int i = 0; i + 1 < n; i++) for (int k = 0; k < per; k++) { float t = float(k) / per; auto P = [&](int j) { return in[std::min(n - 1, std::max(0, j))]; }; auto f = [&](float a, float b, float c, float d) { return 0.5f * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t); }; o.push_back({std::max(0.0f, f(P(i - 1).first, P(i).first, P(i + 1).first, P(i + 2).first)), f(P(i - 1).second, P(i).second, P(i + 1).second, P(i + 2).second)}); } o.push_back(in.back()); return o;
}
static void fruit(Scene &s, V c, float r, int kind, uint32_t seed) {
    Rng g(seed); float lean = g.range(0.05f, 0.45f), dir = g.u() * 6.28f; Mat m; m.kind = COATED; m.rough = 0.22f;
    int stem = s.mat(DIFFUSE, V(0.10f, 0.06f, 0.03f));
    if (kind == 0) { float off = g.u() * 9; m.tex = [off](V, V n, float u, float w, Surface &f) { float k = fbm2(std::sin(u * 6.28f) * 1.2f + off, std::cos(u * 6.28f) * 1.2f + w, 3), st = noise2(u * 60, w * 2 + off); f.albedo = mix(V(0.50f, 0.025f, 0.02f), V(0.62f, 0.42f, 0.06f), smooth(0.0f, 0.7f, k + 0.25f + 0.35f * st + 0.5f * (std::fabs(w - 0.5f) - 0.3f))); if (hf3(int(u * 210), int(w * 110), 5) > 0.985f) f.albedo = V(0.66f, 0.5f, 0.25f); f.rough = 0.2f; (void)n; };
        s.lathe(c, smoothProf(Prof{{0, -0.80f * r}, {0.25f * r, -0.90f * r}, {0.55f * r, -0.82f * r}, {0.86f * r, -0.40f * r}, {1.0f * r, 0.12f * r}, {0.90f * r, 0.60f * r}, {0.55f * r, 0.88f * r}, {0.24f * r, 0.82f * r}, {0.04f * r, 0.60f * r}, {0, 0.58f * r}}, 6), s.mat(m), 48, V(1), lean, dir);
        V ax(std::cos(dir) * std::sin(lean), std::cos(lean), std::sin(dir) * std::sin(lean)); s.lathe(c + ax * (0.58f * r), Prof{{0.035f * r, 0}, {0.03f * r, 0.3f * r}, {0.05f * r, 0.5f * r}, {0, 0.52f * r}}, stem, 8, V(1), lean + 0.3f, dir + 1); }
    if (kind == 1) { m.col = V(0.85f, 0.30f, 0.015f); m.rough = 0.33f; m.relief = [r](V p, float, float) { return r * 0.010f * noise3(p * (22 / r)) ; }; m.reliefStep = r * 0.01f; s.sphere(c, r, s.mat(m)); }
    if (kind == 2) { float off = g.u() * 9; m.tex = [off](V p, V, float u, float w, Surface &f) { (void)p; f.albedo = mix(V(0.50f, 0.52f, 0.08f), V(0.62f, 0.30f, 0.06f), smooth(-0.2f, 0.8f, fbm2(u * 3 + off, w * 2, 3) + 0.5f * std::sin(u * 6.28f))); if (hf3(int(u * 160), int(w * 160), 9) > 0.96f) f.albedo = f.albedo * 0.6f; f.rough = 0.3f; };
        s.lathe(c, smoothProf(Prof{{0, -0.98f * r}, {0.45f * r, -0.95f * r}, {0.90f * r, -0.50f * r}, {1.0f * r, 0.0f}, {0.80f * r, 0.55f * r}, {0.52f * r, 1.0f * r}, {0.40f * r, 1.35f * r}, {0.22f * r, 1.55f * r}, {0.03f * r, 1.55f * r}, {0, 1.53f * r}}, 6), s.mat(m), 48, V(1), lean * 0.5f, dir); s.lathe(c + V(0, 1.5f * r, 0), Prof{{0.04f * r, 0}, {0.035f * r, 0.4f * r}, {0, 0.42f * r}}, stem, 8, V(1), lean, dir); }
    if (kind == 3) { m.col = V(0.85f, 0.66f, 0.05f); m.rough = 0.3f; m.relief = [r](V p, float, float) { return r * 0.014f * noise3(p * (17 / r)); }; m.reliefStep = r * 0.012f; s.lathe(c, smoothProf(Prof{{0, -1.45f * r}, {0.16f * r, -1.32f * r}, {0.55f * r, -1.0f * r}, {0.95f * r, -0.3f * r}, {0.95f * r, 0.3f * r}, {0.6f * r, 0.95f * r}, {0.2f * r, 1.2f * r}, {0.1f * r, 1.42f * r}, {0, 1.45f * r}}, 5), s.mat(m), 40, V(1), 1.45f, dir); }
}
static void still(Scene &s, const std::string &v) {
    s.indoor = true; s.indoorSky = V(0.045f, 0.042f, 0.04f); s.maxDepth = 5; s.eye = V(0.10f, 0.42f, 1.35f); s.at = V(0.0f, 0.13f, 0); s.fov = 26; s.aperture = 0.018f; s.focus = 1.32f;
    table(s, 0, V(0.10f, 0.05f, 0.025f), V(0.32f, 0.18f, 0.09f));
    Mat wm; wm.tex = [](V p, V, float, float, Surface &f) { float k = fbm3(p * 2.2f, 5), h = fbm3(p * 14.0f, 3); f.albedo = V(0.20f, 0.23f, 0.24f) * (1 + 0.55f * k + 0.15f * h); }; int wall = s.mat(wm); s.quad(V(-4, -1, -1.35f), V(4, -1, -1.35f), V(4, 3, -1.35f), V(-4, 3, -1.35f), wall); s.quad(V(2.2f, -1, -2), V(2.2f, -1, 3), V(2.2f, 3, 3), V(2.2f, 3, -2), wall);
    s.lamp(V(-1.9f, 0.35f, -0.55f), V(0, 0, 1.1f), V(0, 1.3f, 0), V(9.5f, 9.2f, 8.8f)); if (s.lamps[0].n.x < 0) s.lamps[0].n = -s.lamps[0].n;
    Mat cm; cm.kind = COATED; cm.rough = 0.18f; cm.tex = [](V p, V, float, float, Surface &f) { float b = std::sin(p.y * 130); f.albedo = p.y > 0.09f && b > 0.2f ? V(0.08f, 0.14f, 0.32f) : V(0.72f, 0.69f, 0.62f) * (0.95f + 0.1f * fbm3(p * 60.0f, 3)); f.rough = 0.15f; }; int bowl = s.mat(cm);
    if (v == "bowl" || v == "focus") {
        s.lathe(V(0.05f, 0.002f, 0), smoothProf(Prof{{0, 0.012f}, {0.07f, 0.004f}, {0.075f, 0.002f}, {0.085f, 0.018f}, {0.15f, 0.065f}, {0.19f, 0.125f}, {0.194f, 0.130f}, {0.186f, 0.129f}, {0.145f, 0.075f}, {0.08f, 0.03f}, {0, 0.024f}}, 4), bowl, 72);
        fruit(s, V(-0.03f, 0.095f, 0.03f), 0.046f, 0, 3); fruit(s, V(0.075f, 0.095f, 0.06f), 0.044f, 1, 4); fruit(s, V(0.10f, 0.10f, -0.045f), 0.045f, 0, 9); fruit(s, V(0.005f, 0.10f, -0.07f), 0.045f, 1, 6); fruit(s, V(0.045f, 0.165f, 0.005f), 0.043f, 0, 21); fruit(s, V(0.15f, 0.125f, 0.02f), 0.03f, 3, 5); fruit(s, V(-0.06f, 0.15f, -0.02f), 0.036f, 2, 8);
        fruit(s, V(-0.27f, 0.040f, 0.17f), 0.045f, 0, 31); fruit(s, V(0.33f, 0.041f, 0.13f), 0.041f, 1, 33); fruit(s, V(0.26f, 0.028f, 0.26f), 0.028f, 3, 12);
        int glass = s.mat(GLASS, V(0.35f, 0.75f, 0.45f), 0, 1.5f); s.lathe(V(-0.27f, 0.001f, -0.22f), smoothProf(Prof{{0, 0.0f}, {0.05f, 0}, {0.056f, 0.01f}, {0.057f, 0.12f}, {0.055f, 0.21f}, {0.036f, 0.27f}, {0.018f, 0.31f}, {0.016f, 0.39f}, {0.019f, 0.40f}, {0.019f, 0.415f}, {0.014f, 0.418f}, {0.0125f, 0.39f}, {0.014f, 0.31f}, {0.032f, 0.268f}, {0.051f, 0.205f}, {0.053f, 0.12f}, {0.052f, 0.014f}, {0, 0.010f}}, 4), glass, 56);
        Mat pm; pm.kind = COATED; pm.rough = 0.35f; pm.tex = [](V p, V, float, float, Surface &f) { float k = fbm3(p * 18.0f, 4); f.albedo = mix(V(0.30f, 0.11f, 0.05f), V(0.42f, 0.20f, 0.10f), 0.5f + k); if (p.y > 0.235f + 0.03f * noise3(p * 9.0f)) { f.albedo = V(0.06f, 0.16f, 0.17f) * (1 + k); f.rough = 0.12f; } }; s.lathe(V(0.34f, 0, -0.25f), smoothProf(Prof{{0, 0}, {0.06f, 0}, {0.07f, 0.01f}, {0.105f, 0.09f}, {0.11f, 0.16f}, {0.08f, 0.25f}, {0.045f, 0.30f}, {0.05f, 0.335f}, {0.062f, 0.355f}, {0.056f, 0.356f}, {0.044f, 0.335f}, {0.038f, 0.30f}, {0, 0.26f}}, 5), s.mat(pm), 64);
        Mat gm; gm.kind = COATED; gm.rough = 0.25f; gm.col = V(0.10f, 0.03f, 0.10f); gm.tex = [](V p, V n, float, float, Surface &f) { f.albedo = mix(V(0.07f, 0.015f, 0.06f), V(0.22f, 0.16f, 0.26f), smooth(-0.1f, 0.6f, fbm3(p * 60.0f, 3) + 0.2f * n.y)); f.rough = 0.3f; }; int grape = s.mat(gm); Rng g(4); for (int i = 0; i < 46; i++) { float t = g.u(), w = 0.045f * (1 - 0.6f * t); s.sphere(V(-0.13f + 0.15f * t + g.range(-1, 1) * w * 0.4f, 0.012f + g.u() * 0.035f * (1 - t * 0.6f), 0.27f + g.range(-1, 1) * w), g.range(0.0105f, 0.0135f), grape); }
        if (v == "focus") { s.eye = V(-0.42f, 0.20f, 0.95f); s.at = V(-0.02f, 0.09f, 0.1f); s.fov = 27; s.aperture = 0.024f; s.focus = 0.80f; }
    }
    if (v == "copper") {
        Mat km; km.kind = METAL; km.rough = 0.18f; km.tex = [](V p, V, float, float, Surface &f) { float k = fbm3(p * 25.0f, 4); f.albedo = mix(V(0.90f, 0.50f, 0.34f), V(0.55f, 0.30f, 0.2f), smooth(0.0f, 0.8f, k + 0.2f)); f.rough = 0.16f + 0.1f * (k + 0.5f); }; int cu = s.mat(km); int steel = s.mat(METAL, V(0.72f, 0.72f, 0.74f), 0.08f);
        s.lathe(V(0.04f, 0.0f, -0.06f), smoothProf(Prof{{0, 0}, {0.11f, 0}, {0.125f, 0.012f}, {0.135f, 0.07f}, {0.125f, 0.14f}, {0.075f, 0.19f}, {0.055f, 0.205f}, {0.06f, 0.215f}, {0.035f, 0.235f}, {0.012f, 0.25f}, {0.016f, 0.265f}, {0.010f, 0.28f}, {0, 0.282f}}, 5), cu, 72);
        for (int i = 0; i < 14; i++) { float t = i / 13.0f; s.sphere(V(0.165f + 0.075f * t, 0.075f + 0.10f * t + 0.02f * t * t, -0.06f), 0.020f - 0.009f * t, cu); } for (int i = 0; i < 40; i++) { float a = PI * i / 39; s.sphere(V(0.04f + 0.105f * std::cos(a), 0.175f + 0.165f * std::sin(a), -0.06f), 0.0065f, steel); }
        int clear = s.mat(GLASS, V(0.97f, 0.985f, 0.98f), 0, 1.5f), tea = s.mat(GLASS, V(0.55f, 0.18f, 0.03f), 0, 1.33f); s.lathe(V(-0.24f, 0.001f, 0.12f), smoothProf(Prof{{0, 0}, {0.03f, 0}, {0.034f, 0.004f}, {0.033f, 0.045f}, {0.037f, 0.085f}, {0.038f, 0.088f}, {0.036f, 0.088f}, {0.0345f, 0.083f}, {0.031f, 0.045f}, {0.031f, 0.010f}, {0, 0.008f}}, 4), clear, 56); s.lathe(V(-0.24f, 0.0095f, 0.12f), Prof{{0, 0}, {0.0305f, 0.001f}, {0.0305f, 0.035f}, {0.0325f, 0.058f}, {0, 0.058f}}, tea, 56);
        s.lathe(V(-0.24f, 0, 0.12f), smoothProf(Prof{{0.03f, 0.0f}, {0.065f, 0.006f}, {0.075f, 0.012f}, {0.075f, 0.009f}, {0.06f, 0.002f}, {0.03f, -0.001f}}, 4), s.mat(COATED, V(0.75f), 0.12f), 56); fruit(s, V(0.30f, 0.028f, 0.14f), 0.028f, 3, 2); fruit(s, V(-0.10f, 0.028f, 0.24f), 0.027f, 3, 7); fruit(s, V(0.38f, 0.040f, -0.05f), 0.04f, 1, 7); s.sphere(V(0.12f, 0.024f, 0.24f), 0.024f, clear); s.sphere(V(0.055f, 0.0145f, 0.29f), 0.0145f, steel);
        s.eye = V(-0.25f, 0.33f, 1.15f); s.at = V(0.02f, 0.10f, 0); s.fov = 26; s.focus = 1.10f; s.aperture = 0.012f;
    }
}
static void marbles(Scene &s, const std::string &v) {
    s.sunDir = sunAt(150, 24); s.sunSize = 0.02f; s.maxDepth = 5; s.eye = V(-0.06f, 0.085f, 0.42f); s.at = V(0, 0.012f, 0); s.fov = 25; s.aperture = 0.0038f; s.focus = 0.37f; s.haze = 1.4f; s.clouds = 0.42f;
    if (v == "b") { s.eye = V(0.15f, 0.20f, 0.30f); s.at = V(0.0f, 0.0f, -0.01f); s.fov = 28; s.sunDir = sunAt(-40, 26); s.aperture = 0.003f; s.focus = 0.38f; }
    table(s, 0, V(0.22f, 0.12f, 0.06f), V(0.52f, 0.33f, 0.18f));
    Mat fm; fm.col = V(0.16f, 0.22f, 0.12f); int far = s.mat(fm); for (int i = 0; i < 30; i++) { Rng g(i + 3); s.blob(V(g.range(-9, 9), g.range(-0.5f, 1.2f), g.range(-6, -11)), V(1.3f, g.range(0.8f, 1.9f), 1), 0.5f, 3, i, far, 20); }
    static const V tint[6] = {V(0.95f, 0.25f, 0.2f), V(0.25f, 0.55f, 0.95f), V(0.3f, 0.9f, 0.45f), V(0.97f, 0.75f, 0.2f), V(0.75f, 0.4f, 0.95f), V(0.97f, 0.98f, 0.98f)}; int gm[6], vane[6]; for (int i = 0; i < 6; i++) { Mat m; m.kind = GLASS; m.col = mix(V(1), tint[i], 0.35f); m.ior = 1.5f; gm[i] = s.mat(m); vane[i] = s.mat(COATED, tint[(i + 2) % 5] * 0.85f, 0.3f); } int chrome = s.mat(METAL, V(0.85f), 0.02f), gold = s.mat(METAL, V(0.95f, 0.68f, 0.30f), 0.12f);
    Rng g(v == "b" ? 19 : 14); std::vector<Sphere> put; for (int i = 0; i < 900 && put.size() < 34; i++) { float r = g.u() < 0.15f ? 0.021f : g.range(0.0105f, 0.0145f), z = g.range(-0.34f, 0.20f); V c(g.range(-0.16f, 0.16f) * (1 + (0.2f - z)), r, z); bool ok = true; for (auto &q : put) if (len(q.c - c) < q.r + r + 0.001f) ok = false; if (!ok) continue; put.push_back(Sphere{c, r, 0});
        int k = int(g.u() * 8); if (k >= 6) { s.sphere(c, r, k == 6 ? chrome : gold); continue; } s.sphere(c, r, gm[k]);
        // A twisted vane of coloured glass inside.
        float ph = g.u() * 6.28f, tl = g.range(0, 1.2f); V ax(std::sin(tl), std::cos(tl), 0), t, b; basis(ax, t, b); const int U = 14; for (int f = 0; f < 3; f++) for (int j = 0; j < U; j++) { auto P = [&](int jj, float e) { float y = -0.8f + 1.6f * jj / U, a = ph + f * 2.094f + y * 1.9f, w = 0.62f * std::sqrt(std::max(0.0f, 1 - y * y * 1.2f)) * e; return c + ax * (y * r) + (t * std::cos(a) + b * std::sin(a)) * (w * r); }; s.quad(P(j, 0.05f), P(j + 1, 0.05f), P(j + 1, 1), P(j, 1), vane[k]); } }
}
static void pebbles(Scene &s, const std::string &) {
    s.sunDir = sunAt(-62, 17); s.eye = V(0, 0.26f, 0.75f); s.at = V(0, 0.0f, -0.1f); s.fov = 32; s.aperture = 0.012f; s.focus = 0.78f; s.haze = 1.6f; s.clouds = 0.42f; s.maxDepth = 3;
    Mat gm; gm.tex = [](V p, V, float, float, Surface &f) { f.albedo = V(0.30f, 0.25f, 0.19f) * (1 + 0.5f * noise3(p * 160.0f)); }; s.quad(V(-30, -0.02f, 2), V(30, -0.02f, 2), V(30, -0.02f, -60), V(-30, -0.02f, -60), s.mat(gm));
    std::vector<int> ms; Rng g(3); static const V pal[7] = {V(0.32f, 0.30f, 0.28f), V(0.55f, 0.52f, 0.48f), V(0.22f, 0.23f, 0.25f), V(0.45f, 0.30f, 0.22f), V(0.62f, 0.58f, 0.52f), V(0.30f, 0.33f, 0.30f), V(0.42f, 0.38f, 0.34f)};
    for (int i = 0; i < 14; i++) { Mat m; m.kind = i % 3 ? DIFFUSE : COATED; m.rough = 0.35f; V c = pal[i % 7]; float o = i * 5.1f; V ax = norm(V(g.range(-1, 1), g.range(-1, 1), g.range(-1, 1))); bool vein = i % 5 == 2; m.tex = [c, o, ax, vein](V p, V, float, float, Surface &f) { float k = fbm3(p * 40.0f + V(o), 4), sp = noise3(p * 420.0f), b = noise2(dot(p, ax) * 90 + k * 2, o); f.albedo = c * (1 + 0.35f * k + 0.25f * sp + 0.18f * b); if (vein && std::fabs(noise3(p * 16.0f + V(o))) < 0.045f) f.albedo = V(0.72f, 0.70f, 0.66f); f.rough = 0.3f; }; m.relief = [](V p, float, float) { return 0.0006f * fbm3(p * 220.0f, 2); }; m.reliefStep = 0.001f; ms.push_back(s.mat(m)); }
    for (int i = 0; i < 1500; i++) { float z = 0.45f - 0.05f * std::pow(120.0f, g.u()) , r = g.range(0.012f, 0.036f) * (i % 40 == 0 ? 1.7f : 1); float x = g.range(-0.42f, 0.42f) * (0.75f - z) * 1.3f; s.blob(V(x, r * 0.35f + g.u() * 0.012f - 0.015f, z), V(r, r * g.range(0.42f, 0.75f), r * g.range(0.65f, 1.0f)), 0.22f, 1.3f, i * 31, ms[i % 14], 24, g.u() * 6.28f); }
    // A piece of green glass worn by the sea.
    s.blob(V(0.03f, 0.036f, 0.03f), V(0.040f, 0.020f, 0.032f), 0.18f, 1.2f, 5, s.mat(GLASS, V(0.35f, 0.85f, 0.65f), 0, 1.45f), 36, 0.5f);
}
// ---------- chess
static void chess(Scene &s, const std::string &v) {
    s.indoor = true; s.indoorSky = V(0.06f); s.maxDepth = 4; s.eye = V(-0.20f, 0.15f, 0.40f); s.at = V(0.015f, 0.035f, -0.02f); s.fov = 27; s.aperture = 0.008f; s.focus = 0.42f; s.lamp(V(-0.9f, 0.25f, -0.9f), V(0, 0, 0.9f), V(0.2f, 0.8f, 0), V(11, 10.6f, 10)); if (dot(s.lamps[0].n, V(1, -0.3f, 0)) < 0) s.lamps[0].n = -s.lamps[0].n;
    if (v == "b") { s.eye = V(0.05f, 0.075f, 0.36f); s.at = V(0.0f, 0.045f, 0); s.focus = 0.35f; s.fov = 30; s.aperture = 0.009f; }
    Mat bm; bm.kind = COATED; bm.tex = [](V p, V, float, float, Surface &f) { float q = 0.055f; int i = int(std::floor(p.x / q)), j = int(std::floor(p.z / q)); bool out = std::fabs(p.x) > 4 * q || std::fabs(p.z) > 4 * q; bool l = (i + j) & 1; V pp(p.x + i * 0.7f, p.y, p.z + j * 1.3f); if (out) woodTex(p, f, V(0.07f, 0.03f, 0.02f), V(0.16f, 0.08f, 0.04f), 3, 0); else woodTex(pp, f, l ? V(0.50f, 0.33f, 0.18f) : V(0.10f, 0.045f, 0.025f), l ? V(0.72f, 0.54f, 0.34f) : V(0.22f, 0.10f, 0.055f), 3, 0); f.rough = 0.16f; }; s.box(V(0, -0.012f, 0), V(0.25f, 0.012f, 0.25f), 0, s.mat(bm));
    table(s, -0.025f, V(0.05f, 0.04f, 0.035f), V(0.14f, 0.11f, 0.09f)); s.quad(V(-3, -1, -1.6f), V(3, -1, -1.6f), V(3, 2, -1.6f), V(-3, 2, -1.6f), s.mat(DIFFUSE, V(0.16f, 0.19f, 0.20f)));
    int w, b; { Mat m; m.kind = COATED; m.rough = 0.16f; m.tex = [](V p, V, float, float, Surface &f) { woodTex(V(p.x, p.z, p.y), f, V(0.55f, 0.38f, 0.2f), V(0.78f, 0.60f, 0.38f), 5, 0); f.rough = 0.16f; }; w = s.mat(m); m.tex = [](V p, V, float, float, Surface &f) { woodTex(V(p.x, p.z, p.y), f, V(0.025f, 0.015f, 0.012f), V(0.08f, 0.04f, 0.03f), 5, 0); f.rough = 0.14f; }; b = s.mat(m); }
    auto base = [](float r) { return Prof{{0, 0}, {r, 0}, {r * 1.02f, r * 0.15f}, {r * 0.95f, r * 0.30f}, {r * 0.80f, r * 0.36f}, {r * 0.84f, r * 0.48f}, {r * 0.62f, r * 0.62f}}; };
    auto piece = [&](char k, float i, float j, int m) {
        float q = 0.055f; V c((i - 3.5f) * q, 0, (j - 3.5f) * q); Prof p;
        if (k == 'P') { p = base(0.016f); p.push_back({0.0075f, 0.019f}); p.push_back({0.0060f, 0.028f}); p.push_back({0.0105f, 0.030f}); p.push_back({0.0105f, 0.0315f}); p.push_back({0.006f, 0.0330f}); p.push_back({0.0085f, 0.036f}); p.push_back({0.0098f, 0.041f}); p.push_back({0.0080f, 0.046f}); p.push_back({0.004f, 0.0490f}); p.push_back({0, 0.0495f}); }
        if (k == 'R') { p = base(0.019f); p.push_back({0.0115f, 0.024f}); p.push_back({0.0105f, 0.042f}); p.push_back({0.0150f, 0.046f}); p.push_back({0.0155f, 0.048f}); p.push_back({0.0150f, 0.058f}); p.push_back({0.0115f, 0.058f}); p.push_back({0.0112f, 0.053f}); p.push_back({0, 0.0525f}); }
        if (k == 'B') { p = base(0.018f); p.push_back({0.0085f, 0.024f}); p.push_back({0.0068f, 0.042f}); p.push_back({0.0130f, 0.0455f}); p.push_back({0.0130f, 0.0470f}); p.push_back({0.0075f, 0.050f}); p.push_back({0.0112f, 0.058f}); p.push_back({0.0095f, 0.066f}); p.push_back({0.0030f, 0.0735f}); p.push_back({0.0038f, 0.076f}); p.push_back({0, 0.079f}); }
        if (k == 'Q' || k == 'K') { p = base(0.021f); p.push_back({0.0100f, 0.028f}); p.push_back({0.0080f, 0.056f}); p.push_back({0.0150f, 0.060f}); p.push_back({0.0150f, 0.062f}); p.push_back({0.0088f, 0.065f}); p.push_back({0.0110f, 0.074f}); p.push_back({0.0150f, 0.083f}); p.push_back({0.0120f, 0.0845f}); p.push_back({0.0050f, k == 'K' ? 0.090f : 0.087f}); p.push_back({0.004f, 0.0905f}); p.push_back({0, 0.093f}); }
        Prof sp; for (size_t a = 0; a + 1 < p.size(); a++) { Prof seg = smoothProf(p, 4); sp = seg; break; } s.lathe(c, sp, m, 44);
        if (k == 'K') { s.box(c + V(0, 0.099f, 0), V(0.0016f, 0.0075f, 0.0016f), 0, m); s.box(c + V(0, 0.100f, 0), V(0.0055f, 0.0016f, 0.0016f), 0, m); } if (k == 'Q') { for (int a = 0; a < 9; a++) s.sphere(c + V(0.0135f * std::cos(a * 0.698f), 0.0850f, 0.0135f * std::sin(a * 0.698f)), 0.0023f, m); s.sphere(c + V(0, 0.0945f, 0), 0.0038f, m); }
    };
    piece('K', 4, 6, w); piece('Q', 2.0f, 5, w); piece('R', 7, 7, w); piece('R', 0, 7, w); piece('B', 5, 5, w); piece('P', 0, 6, w); piece('P', 1, 6, w); piece('P', 3, 4, w); piece('P', 5, 6, w); piece('P', 6, 6, w); piece('P', 7, 5, w);
    piece('K', 4, 0, b); piece('Q', 4, 3, b); piece('R', 0, 0, b); piece('R', 6, 0, b); piece('B', 2, 2, b); piece('B', 5, 2, b); for (int i = 0; i < 8; i++) if (i != 3 && i != 4) piece('P', float(i), i == 2 ? 3.0f : 1.0f, b); piece('P', 4, 4, b);
}
// ---------- night
static void bokeh(Scene &s, const std::string &v) {
    s.night = true; s.nightLow = V(0.004f, 0.0045f, 0.009f); s.nightHigh = V(0.003f, 0.005f, 0.014f); s.sunDir = V(0, 1, 0); s.maxDepth = 5; s.eye = V(0, 0.19f, 0.62f); s.at = V(0.01f, 0.125f, 0); s.fov = 30; s.aperture = 0.022f; s.focus = 0.60f; Rng g(v == "b" ? 23 : 7);
    table(s, 0, V(0.07f, 0.035f, 0.02f), V(0.22f, 0.12f, 0.06f));
    s.lamp(V(-0.5f, 0.9f, 0.3f), V(0.7f, 0, 0), V(0, 0, 0.5f), V(1.5f, 1.0f, 0.55f)); if (s.lamps[0].n.y > 0) s.lamps[0].n = -s.lamps[0].n;
    int clear = s.mat(GLASS, V(0.98f), 0, 1.5f);
    if (v == "a") { Mat e; e.kind = EMIT; e.emit = V(16, 7.0f, 1.7f); int flame = s.mat(e), wax = s.mat(LEAF, V(0.82f, 0.72f, 0.55f)), wick = s.mat(DIFFUSE, V(0.02f)); V c(-0.085f, 0, 0.03f); s.lathe(c, smoothProf(Prof{{0, 0.001f}, {0.040f, 0.001f}, {0.046f, 0.006f}, {0.047f, 0.09f}, {0.045f, 0.112f}, {0.046f, 0.116f}, {0.0435f, 0.116f}, {0.0425f, 0.112f}, {0.0442f, 0.09f}, {0.043f, 0.011f}, {0, 0.009f}}, 3), clear, 56); s.lathe(c + V(0, 0.0095f, 0), Prof{{0, 0}, {0.040f, 0}, {0.041f, 0.040f}, {0.036f, 0.043f}, {0, 0.040f}}, wax, 48); s.box(c + V(0, 0.054f, 0), V(0.0008f, 0.004f, 0.0008f), 0, wick); s.lathe(c + V(0, 0.056f, 0), smoothProf(Prof{{0, 0}, {0.005f, 0.004f}, {0.0062f, 0.010f}, {0.0035f, 0.022f}, {0, 0.032f}}, 4), flame, 24);
        for (int i = 0; i < 6; i++) { float a = i * PI / 3; V o = c + V(0.006f * std::cos(a), 0.068f, 0.006f * std::sin(a)); V t(-std::sin(a), 0, std::cos(a)); s.lamp(o - t * 0.0035f - V(0, 0.008f, 0), t * 0.007f, V(0, 0.016f, 0), V(80, 38, 11)); if (dot(s.lamps.back().n, V(std::cos(a), 0, std::sin(a))) < 0) s.lamps.back().n = -s.lamps.back().n; }
        Mat mm; mm.kind = COATED; mm.rough = 0.15f; mm.col = V(0.07f, 0.12f, 0.20f); int mug = s.mat(mm); V d(0.10f, 0, -0.03f); s.lathe(d, smoothProf(Prof{{0, 0.001f}, {0.034f, 0.001f}, {0.040f, 0.006f}, {0.042f, 0.05f}, {0.043f, 0.092f}, {0.0435f, 0.096f}, {0.0405f, 0.096f}, {0.0395f, 0.09f}, {0.038f, 0.05f}, {0, 0.045f}}, 4), mug, 56); for (int i = 0; i < 40; i++) { float a = -1.45f + 2.9f * i / 39; s.sphere(d + V(0.040f + 0.026f * std::cos(a), 0.05f + 0.030f * std::sin(a), 0), 0.0052f, mug); } s.lathe(d + V(0, 0.082f, 0), Prof{{0.0393f, 0}, {0, 0.0005f}}, s.mat(COATED, V(0.05f, 0.02f, 0.01f), 0.05f), 40); }
    else { int gold = s.mat(METAL, V(0.95f, 0.66f, 0.30f), 0.10f), red = s.mat(COATED, V(0.55f, 0.02f, 0.02f), 0.08f), silver = s.mat(METAL, V(0.85f), 0.05f); int ms[3] = {gold, red, silver}; s.lamp(V(-0.9f, 0.1f, 0.9f), V(0.5f, 0, 0.3f), V(0, 0.5f, 0), V(2.2f, 1.6f, 1.0f)); if (dot(s.lamps.back().n, V(0.5f, 0, -1)) < 0) s.lamps.back().n = -s.lamps.back().n; float xs[5] = {-0.12f, -0.03f, 0.075f, 0.135f, 0.005f}, zs[5] = {0.02f, 0.06f, 0.0f, 0.09f, -0.06f}, rs[5] = {0.044f, 0.031f, 0.050f, 0.024f, 0.038f}; for (int i = 0; i < 5; i++) { V c(xs[i], rs[i], zs[i]); s.sphere(c, rs[i], ms[(i + 1) % 3]); s.lathe(c + V(0, rs[i] * 0.96f, 0), Prof{{rs[i] * 0.2f, 0}, {rs[i] * 0.2f, rs[i] * 0.22f}, {0, rs[i] * 0.24f}}, gold, 24, V(1), 0.0f, 0); } Mat lm; lm.kind = LEAF; lm.col = V(0.03f, 0.08f, 0.03f); int needle = s.mat(lm); for (int b = 0; b < 7; b++) { V o(g.range(-0.28f, 0.28f), 0.008f, g.range(-0.12f, 0.10f)); float a = g.u() * 6.28f; V d(std::cos(a), 0.05f, std::sin(a)); for (int i = 0; i < 240; i++) { float t = g.u() * 0.16f; V p = o + d * t; V q = norm(d * 0.7f + V(g.range(-1, 1), g.range(-0.2f, 1), g.range(-1, 1)) * 0.8f) * 0.026f; V w = norm(cross(q, V(0, 1, 0.2f))) * 0.0006f; s.tri(p - w, p + q, p + w, needle); } } s.eye.y = 0.15f; s.at = V(0.01f, 0.088f, 0); }
    static const V pal[7] = {V(1, 0.55f, 0.18f), V(1, 0.78f, 0.45f), V(1, 0.12f, 0.06f), V(0.25f, 0.55f, 1), V(0.15f, 0.9f, 0.5f), V(1, 0.85f, 0.65f), V(0.9f, 0.25f, 0.7f)};
    for (int i = 0; i < 62; i++) { float z = -g.range(1.2f, 26), x = g.range(-0.36f, 0.36f) * (0.6f - z) * 1.2f, y = 0.12f + g.range(-0.10f, 0.20f) * (0.6f - z) * (i % 3 ? 0.7f : 1); s.points.push_back(PointLight{V(x, y, z), pal[int(g.u() * 7)] * (0.006f + 0.055f * std::pow(g.u(), 2.0f))}); }
}
static float sideFar(float x, float z) { return 90 * fbm2(x * 0.0006f + 1, z * 0.0006f, 5) + 120; }
static void skyline(Scene &s, const std::string &v) {
    s.water = true; s.waveAmp = 0.075f; s.waveScale = 1.3f; s.eye = V(0, 9, 0); s.at = V(0, 52, -700); s.fov = 30; s.maxDepth = 3; s.fogA = 0.00022f; s.fogB = 0.006f;
    if (v == "night") { s.night = true; s.sunDir = sunAt(40, 30); s.nightLow = V(0.060f, 0.038f, 0.034f); s.nightHigh = V(0.008f, 0.012f, 0.034f); s.eye = V(-160, 12, 60); s.at = V(-60, 48, -700); s.clouds = 0; } else { s.sunDir = sunAt(38, 1.2f); s.clouds = 0.42f; s.cloudStreaks = true; s.cloudScale = 0.6f; s.haze = 1.5f; }
    float glow = v == "night" ? 0.55f : 0.50f;
    Mat bm; bm.kind = COATED; bm.rough = 0.2f; bm.tex = [glow](V p, V n, float, float, Surface &f) { float u = std::fabs(n.x) > std::fabs(n.z) ? p.z : p.x; int bx = int(std::floor(p.x / 34)), bz = int(std::floor(p.z / 34)); float h = hf3(bx, bz, 3); V wall = mix(V(0.10f, 0.10f, 0.11f), V(0.28f, 0.24f, 0.21f), h); f.albedo = wall; if (n.y > 0.5f) return; float cw = h < 0.5f ? 2.8f : 4.0f, chh = 3.6f; int i = int(std::floor(u / cw)), j = int(std::floor(p.y / chh)); float fu = u / cw - i, fv = p.y / chh - j; bool win = fu > 0.16f && fu < 0.84f && fv > 0.25f && fv < 0.82f; if (!win) { f.rough = 0.5f; return; } f.albedo = V(0.04f, 0.05f, 0.06f); f.rough = 0.06f; uint32_t k = hash3(i + bx * 131, j, bz * 17 + (std::fabs(n.x) > 0.5f)); float row = hf3(j, bx, bz); float lit = hf(k); if (lit < (row < 0.25f ? 0.75f : 0.36f)) f.emit = mix(V(1.0f, 0.62f, 0.28f), V(0.85f, 0.95f, 1.0f), hf(k + 1) < 0.3f ? 0.8f : 0.15f * hf(k + 2)) * (glow * (0.35f + 1.3f * hf(k + 3) * hf(k + 3))); }; int fac = s.mat(bm); int dark = s.mat(DIFFUSE, V(0.06f)); Mat rm; rm.kind = EMIT; rm.emit = V(4, 0.25f, 0.15f); int beacon = s.mat(rm); Mat qm; qm.kind = EMIT; qm.emit = V(3.2f, 1.9f, 0.8f) * (glow * 1.6f); int lampM = s.mat(qm);
    Rng g(31); for (int j = 0; j < 9; j++) for (int i = -22; i <= 22; i++) { float x = i * 34 + 17, z = -640 - j * 34.0f - 17; if (g.u() < 0.18f) continue; float c = std::exp(-(x - 40) * (x - 40) / 26000.0f) + 0.5f * std::exp(-(x + 330) * (x + 330) / 9000.0f), h = g.range(14, 34) + c * g.range(15, 120) * (0.5f + j * 0.1f); if (j == 0) h *= 0.5f; float w = g.range(10, 15), d = g.range(10, 15); s.box(V(x, h / 2 + 2, z), V(w, h / 2, d), 0, fac); if (h > 70) { s.box(V(x, h + 6, z), V(w * 0.62f, 6, d * 0.62f), 0, fac); if (h > 95) { s.lathe(V(x, h + 12, z), Prof{{1.6f, 0}, {0.25f, 26}, {0, 26}}, dark, 8); s.sphere(V(x, h + 38.5f, z), 0.9f, beacon); } } }
    s.box(V(0, 1.2f, -800), V(1100, 1.3f, 185), 0, dark); for (int i = -60; i <= 60; i++) s.sphere(V(i * 15.0f, 6.5f, -613), 0.55f, lampM);
    // A bridge to the right: two towers and hung cables.
    float tx[2] = {250, 470}, tz[2] = {-560, -420}; (void)tz; for (int k = 0; k < 2; k++) { V c(tx[k] - 40, 0, mixf(-600, -330, k)); for (int q = -1; q <= 1; q += 2) s.box(c + V(0, 32, 6.0f * q), V(2.2f, 32, 1.6f), 0.9f, dark); s.box(c + V(0, 58, 0), V(1.5f, 1.6f, 7), 0.9f, dark); s.sphere(c + V(0, 65.5f, 0), 0.8f, beacon); }
    for (int i = -40; i <= 80; i++) { float t = i / 40.0f; V c(mixf(210, 430, t), 14, mixf(-600, -330, t)); s.box(c, V(4.6f, 0.8f, 5), 0.9f, dark); float tt = t - std::floor(t); float y = 18 + 44 * (2 * tt - 1) * (2 * tt - 1); s.box(V(c.x, y, c.z), V(4.8f, 0.35f + 2.2f * std::fabs(2 * tt - 1), 0.3f), 0.9f, dark); if (i % 2 == 0) { s.box(V(c.x, (y + 14) / 2, c.z), V(0.12f, (y - 14) / 2, 0.12f), 0, dark); s.sphere(V(c.x, 17.5f, c.z), 0.5f, lampM); } }
    s.height = sideFar; Mat tm; tm.terrain = true; tm.tex = [](V, V, float, float, Surface &f) { f.albedo = V(0.03f, 0.04f, 0.03f); }; s.terrain(s.mat(tm), 3500, 7000, 30, 300, 0.8f);
}
// ---------- hall
static void hall(Scene &s, const std::string &v) {
    s.sunDir = norm(V(-0.80f, 0.72f, -0.20f)); s.maxDepth = 5; s.eye = V(-0.6f, 1.6f, 9); s.at = V(0.25f, 2.35f, -8); s.fov = 52; s.clampAt = 8; s.fogA = 0.010f; s.fogB = 0.02f; s.fogSun = 0.0f; s.fogGain = 0.35f; if (v == "far") { s.eye = V(1.9f, 1.15f, 6.5f); s.at = V(-1.2f, 2.6f, -6); s.fov = 62; }
    Mat fm; fm.kind = COATED; fm.tex = [](V p, V, float, float, Surface &f) { float q = 1.25f; int i = int(std::floor(p.x / q)), j = int(std::floor(p.z / q)); float u = p.x / q - i, w = p.z / q - j, e = std::min(std::min(u, 1 - u), std::min(w, 1 - w)); float k = fbm3(p * 1.4f + V(i * 3.1f, 0, j * 1.7f), 6); float vein = std::pow(1 - std::fabs(k), 9.0f); f.albedo = ((i + j) & 1 ? V(0.50f, 0.46f, 0.40f) : V(0.18f, 0.16f, 0.15f)) * (0.9f + 0.25f * k) + V(0.12f) * vein; if (e < 0.012f) f.albedo = V(0.07f); f.rough = 0.12f + 0.08f * std::fabs(k); }; s.quad(V(-9, 0, 14), V(9, 0, 14), V(9, 0, -30), V(-9, 0, -30), s.mat(fm));
    Mat wm; wm.tex = [](V p, V n, float, float, Surface &f) { float u = std::fabs(n.x) > 0.5f ? p.z : p.x; int r = int(std::floor(p.y / 0.45f)); float x = u / 0.9f + (r & 1) * 0.5f, e = std::min(x - std::floor(x), std::ceil(x) - x) * 0.9f, ev = std::fabs(p.y / 0.45f - r - 0.5f); f.albedo = V(0.56f, 0.50f, 0.42f) * (1 + 0.35f * fbm3(p * 1.1f, 5) + 0.12f * noise3(p * 22.0f)) * (0.9f + 0.15f * hf3(r, int(std::floor(x)), 4)); if (e < 0.012f || ev > 0.475f) f.albedo = f.albedo * 0.6f; }; wm.relief = [](V p, float, float) { return 0.008f * fbm3(p * 7.0f, 3); }; wm.reliefStep = 0.01f; int wall = s.mat(wm);
    Mat cm; cm.tex = [](V p, V, float, float, Surface &f) { f.albedo = V(0.60f, 0.54f, 0.45f) * (1 + 0.3f * fbm3(p * 2.0f, 5) + 0.1f * noise3(p * 30.0f)); }; cm.relief = [](V p, float u, float) { return p.y > 0.6f && p.y < 4.1f ? 0.012f * std::fabs(std::sin(u * PI * 20)) : 0.003f * noise3(p * 20.0f); }; cm.reliefStep = 0.006f; int col = s.mat(cm);
    Prof p = {{0.48f, 0}, {0.48f, 0.22f}, {0.42f, 0.26f}, {0.44f, 0.36f}, {0.36f, 0.44f}, {0.34f, 0.6f}, {0.33f, 2.2f}, {0.29f, 4.1f}, {0.33f, 4.15f}, {0.31f, 4.25f}, {0.44f, 4.5f}, {0.46f, 4.55f}};
    for (int k = 0; k < 11; k++) for (int q = -1; q <= 1; q += 2) { V c(q * 2.6f, 0, 7 - k * 3.0f); s.lathe(c, p, col, 64); s.box(c + V(0, 4.68f, 0), V(0.52f, 0.13f, 0.52f), 0, col); s.box(c + V(0, 0.05f, 0), V(0.56f, 0.06f, 0.56f), 0, col);
        // half-round arches between the columns
        const int U = 18; float R = 1.0f, x0 = c.x - 0.4f, x1 = c.x + 0.4f, zc = c.z - 1.5f; auto ay = [&](int i) { return 4.8f + 0.98f * std::sin(PI * i / U); }; auto az = [&](int i) { return zc + R * std::cos(PI * i / U); }; for (int i = 0; i < U; i++) { V a(x0, ay(i), az(i)), b(x0, ay(i + 1), az(i + 1)), d(x1, ay(i + 1), az(i + 1)), e(x1, ay(i), az(i)); s.quad(a, b, d, e, wall); for (float xx : {x0, x1}) s.quad(V(xx, ay(i), az(i)), V(xx, ay(i + 1), az(i + 1)), V(xx, 6.3f, az(i + 1)), V(xx, 6.3f, az(i)), wall); } for (float xx : {x0, x1}) s.quad(V(xx, 4.8f, c.z - 0.5f), V(xx, 4.8f, c.z + 0.5f), V(xx, 6.3f, c.z + 0.5f), V(xx, 6.3f, c.z - 0.5f), wall); }
    s.box(V(0, 6.45f, -8), V(3.4f, 0.15f, 24), 0, wall); for (int k = 0; k < 12; k++) s.box(V(0, 6.12f, 8.5f - k * 3.0f), V(2.3f, 0.18f, 0.16f), 0, s.mat(DIFFUSE, V(0.16f, 0.09f, 0.05f)));
    s.quad(V(5.4f, 0, 14), V(5.4f, 0, -30), V(5.4f, 7, -30), V(5.4f, 7, 14), wall); s.box(V(4.4f, 6.4f, -8), V(1.1f, 0.12f, 24), 0, wall); s.box(V(-1.9f, 3.2f, -26), V(1.2f, 3.2f, 0.4f), 0, wall); s.box(V(1.9f, 3.2f, -26), V(1.2f, 3.2f, 0.4f), 0, wall); s.box(V(0, 5.2f, -26), V(1, 1.2f, 0.4f), 0, wall); s.quad(V(-40, -0.02f, 30), V(40, -0.02f, 30), V(40, -0.02f, -90), V(-40, -0.02f, -90), s.mat(DIFFUSE, V(0.24f, 0.22f, 0.12f)));
    int tree = s.mat(LEAF, V(0.06f, 0.11f, 0.03f)); Rng g(6); for (int i = 0; i < 20; i++) s.blob(V(g.range(-26, -13), g.range(0, 3), g.range(-40, 6)), V(2.4f, g.range(2, 4), 2.4f), 0.5f, 3, i, tree, 24);
}
// ---------- harbour: the picture stored in all eight orientations
static void harbour(Scene &s, const std::string &) {
    s.height = [](float x, float z) { float d = -z - 420 + 60 * fbm2(x * 0.004f, 2, 4) + 0.0007f * (x - 60) * (x - 60) - std::max(0.0f, x) * 0.22f; return -5 + smooth(-20, 30, d) * 8 + std::max(0.0f, d) * 0.16f + smooth(0, 160, d) * 26 * (0.6f + fbm2(x * 0.008f, z * 0.008f, 5)) + fbm2(x * 0.05f, z * 0.05f, 4) * 2; };
    s.water = true; s.waveAmp = 0.07f; s.waveScale = 0.7f; s.eye = V(0, 3.4f, 6); s.at = V(0, 4.7f, -30); s.fov = 42; s.sunDir = sunAt(-15, 8.5f); s.clouds = 0.43f; s.cloudScale = 0.7f; s.fogA = 0.00035f; s.fogB = 0.006f; s.haze = 1.2f; s.fogSun = 0.25f;
    Mat m; m.terrain = true; m.tex = [](V p, V n, float, float, Surface &f) { f.albedo = landTex(p, n, true, 0, 1); }; s.terrain(s.mat(m), 150, 2500, 420, 620, 0.75f);
    Mat wm; wm.tex = [](V p, V, float, float, Surface &f) { woodTex(V(p.z, p.y, p.x), f, V(0.16f, 0.13f, 0.10f), V(0.36f, 0.30f, 0.24f), 0.7f, 0); }; int wood = s.mat(wm);
    for (int i = 0; i < 74; i++) { Rng g(i + 50); s.box(V(-4.4f + g.range(-0.02f, 0.02f), 0.92f, 5 - i * 0.27f), V(1.35f, 0.05f, 0.118f), g.range(-0.008f, 0.008f), wood); } for (int i = 0; i < 7; i++) for (int q = -1; q <= 1; q += 2) s.lathe(V(-4.4f + q * 1.35f, -2, 2.0f - i * 2.8f), Prof{{0.13f, 0}, {0.12f, 3.75f}, {0, 3.77f}}, wood, 14);
    // The board: white, with an F and an arrow to the right; no mirror image or turn of it looks the same.
    int post = s.mat(DIFFUSE, V(0.22f, 0.15f, 0.09f)), white = s.mat(DIFFUSE, V(0.82f, 0.80f, 0.74f)), red = s.mat(DIFFUSE, V(0.60f, 0.03f, 0.025f)), blue = s.mat(DIFFUSE, V(0.03f, 0.10f, 0.36f)); V b(2.15f, 3.75f, -2.2f);
    s.box(V(b.x, 1.2f, b.z - 0.08f), V(0.09f, 2.7f, 0.09f), 0, post); s.box(b, V(1.35f, 0.75f, 0.05f), 0, white); s.box(b + V(0, 0, -0.005f), V(1.42f, 0.82f, 0.045f), 0, post); float z = 0.06f; V f = b + V(-0.80f, 0, z); s.box(f + V(-0.2f, 0, 0), V(0.095f, 0.52f, 0.012f), 0, red); s.box(f + V(0.08f, 0.43f, 0), V(0.37f, 0.09f, 0.012f), 0, red); s.box(f + V(0.02f, 0.06f, 0), V(0.28f, 0.085f, 0.012f), 0, red);
    V a = b + V(0.45f, 0, z); s.box(a + V(-0.2f, 0, 0), V(0.42f, 0.10f, 0.012f), 0, blue); s.tri(a + V(0.20f, -0.34f, 0.013f), a + V(0.74f, 0, 0.013f), a + V(0.20f, 0.34f, 0.013f), blue);
    // The front of the board is away from the sun; a pale quay behind the camera gives it light.
    s.quad(V(-40, -1, 12), V(40, -1, 12), V(40, 16, 16), V(-40, 16, 16), s.mat(DIFFUSE, V(0.75f, 0.72f, 0.66f)));
    sailboat(s, V(-11, 0, -46), 1.0f, 0.35f, V(0.7f, 0.68f, 0.62f), V(0.85f, 0.82f, 0.74f), 0.08f); sailboat(s, V(21, 0, -95), 1.05f, 2.7f, V(0.30f, 0.04f, 0.03f), V(0.82f, 0.35f, 0.16f), 0.1f); sailboat(s, V(-60, 0, -190), 1.1f, 0.2f, V(0.1f, 0.12f, 0.2f), V(0.8f), 0.1f); float lx = 26, lz = -475; lighthouse(s, V(lx, s.height(lx, lz) - 1, lz), 1.5f);
}

static bool makeScene(const std::string &name, uint32_t, Scene &s) {
    size_t k = name.find('-'); std::string n = name.substr(0, k), v = k == std::string::npos ? "" : name.substr(k + 1);
    if (n == "coast") coast(s, v); else if (n == "alps") alps(s, v); else if (n == "dunes") dunes(s, v); else if (n == "meadow") meadow(s, v); else if (n == "forest") forest(s, v);
    else if (n == "balloons") balloons(s, v); else if (n == "still") still(s, v); else if (n == "marbles") marbles(s, v); else if (n == "pebbles") pebbles(s, v); else if (n == "chess") chess(s, v);
    else if (n == "bokeh") bokeh(s, v); else if (n == "skyline") skyline(s, v); else if (n == "hall") hall(s, v); else if (n == "harbour") harbour(s, v); else return false;
    return true;
}
