#include "api/channels/push_message.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>
#include <jansson.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

enum { HASH = 32, SHARED = HASH, AES_KEY = 16, NONCE = 12, TAG = 16, SIGNATURE = 64 };

/* ---- Shared by all messages ---- */

/* The curve and the cipher are read by many threads and never freed. OpenSSL's keys are not used,
 * because making and checking them takes several times as long as using them; and OpenSSL would
 * search for the cipher for each message. */
static EC_GROUP *curve;
static EVP_CIPHER *cipher;

static void make_shared(void)
{
    curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    cipher = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
    if (curve == NULL || cipher == NULL)
        abort();
}

static void need_shared(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_shared);
}

static const EC_GROUP *the_curve(void)
{
    need_shared();
    return curve;
}

static const EVP_CIPHER *the_cipher(void)
{
    need_shared();
    return cipher;
}

/* ---- P-256 ---- */

/* A point, to be freed with EC_POINT_free(); NULL if the bytes are no point of the curve, or
 * infinity. The curve's cofactor is 1, so no other check is needed. */
static EC_POINT *load_point(const uint8_t public[static PUSH_PUBLIC])
{
    EC_POINT *point = EC_POINT_new(the_curve());
    if (point != NULL && public[0] == POINT_CONVERSION_UNCOMPRESSED &&
        EC_POINT_oct2point(the_curve(), point, public, PUSH_PUBLIC, NULL) == 1)
        return point;
    EC_POINT_free(point);
    return NULL;
}

/* A key's scalar, to be freed with BN_clear_free(), for multiplication in constant time. */
static BIGNUM *load_scalar(const uint8_t private[static PUSH_PRIVATE])
{
    BIGNUM *scalar = BN_bin2bn(private, PUSH_PRIVATE, NULL);
    if (scalar != NULL)
        BN_set_flags(scalar, BN_FLG_CONSTTIME);
    return scalar;
}

bool push_public_good(const uint8_t bytes[static PUSH_PUBLIC])
{
    EC_POINT *point = load_point(bytes);
    EC_POINT_free(point);
    return point != NULL;
}

bool push_key_make(struct push_key *key)
{
    const EC_GROUP *group = the_curve();
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *scalar = BN_new();
    bool good = point != NULL && scalar != NULL;
    do
        good = good && BN_priv_rand_range(scalar, EC_GROUP_get0_order(group)) == 1;
    while (good && BN_is_zero(scalar));
    if (good)
        BN_set_flags(scalar, BN_FLG_CONSTTIME);
    good = good && EC_POINT_mul(group, point, scalar, NULL, NULL, NULL) == 1 &&
           EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, key->public, PUSH_PUBLIC,
                              NULL) == PUSH_PUBLIC &&
           BN_bn2binpad(scalar, key->private, PUSH_PRIVATE) == PUSH_PRIVATE;
    BN_clear_free(scalar);
    EC_POINT_free(point);
    return good;
}

static bool agree(const struct push_key *own, const uint8_t theirs[static PUSH_PUBLIC],
                  uint8_t shared[static SHARED])
{
    const EC_GROUP *group = the_curve();
    EC_POINT *peer = load_point(theirs);
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *scalar = load_scalar(own->private);
    BIGNUM *x = BN_new();
    bool good = peer != NULL && point != NULL && scalar != NULL && x != NULL &&
                EC_POINT_mul(group, point, NULL, peer, scalar, NULL) == 1 &&
                EC_POINT_get_affine_coordinates(group, point, x, NULL, NULL) == 1 &&
                BN_bn2binpad(x, shared, SHARED) == SHARED;
    BN_clear_free(x);
    BN_clear_free(scalar);
    EC_POINT_clear_free(point);
    EC_POINT_free(peer);
    return good;
}

/* ---- Encryption ---- */

/* The first step of HKDF with SHA-256 (RFC 5869), which gives a pseudorandom key. */
static void extract(const uint8_t *salt, size_t salt_size, const uint8_t secret[static HASH],
                    uint8_t prk[static HASH])
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, salt, salt_size);
    crypto_auth_hmacsha256_update(&state, secret, HASH);
    crypto_auth_hmacsha256_final(&state, prk);
}

/* The second step of HKDF, for at most one block. */
static void expand(const uint8_t prk[static HASH], struct span info, uint8_t *out, size_t size)
{
    static const uint8_t one = 1;
    crypto_auth_hmacsha256_state state;
    uint8_t block[HASH];
    crypto_auth_hmacsha256_init(&state, prk, HASH);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)info.at, info.length);
    crypto_auth_hmacsha256_update(&state, &one, 1);
    crypto_auth_hmacsha256_final(&state, block);
    memcpy(out, block, size);
    sodium_memzero(block, sizeof block);
}

/* Computes the input keying material (RFC 8291 section 3.4) and the public key used for it. */
static bool make_secret(const struct push_recipient *recipient, const struct push_key *once,
                        uint8_t keying[static HASH], uint8_t public[static PUSH_PUBLIC])
{
    static const char label[] = "WebPush: info"; /* including its NUL */
    char info[sizeof label + PUSH_PUBLIC + PUSH_PUBLIC];
    uint8_t shared[SHARED];
    uint8_t key[HASH];
    struct push_key own;
    bool made = once == NULL ? push_key_make(&own) : (own = *once, true);
    bool good = made && agree(&own, recipient->public, shared);
    memcpy(public, own.public, PUSH_PUBLIC);
    sodium_memzero(&own, sizeof own);
    if (!good)
        return false;
    memcpy(info, label, sizeof label);
    memcpy(info + sizeof label, recipient->public, PUSH_PUBLIC);
    memcpy(info + sizeof label + PUSH_PUBLIC, public, PUSH_PUBLIC);
    extract(recipient->auth, PUSH_AUTH, shared, key);
    expand(key, (struct span){info, sizeof info}, keying, HASH);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(key, sizeof key);
    return true;
}

/* Encrypts the record, which is the only and last one. */
static bool seal(const uint8_t key[static AES_KEY], const uint8_t nonce[static NONCE],
                 struct span plain, size_t zeros, uint8_t *sealed)
{
    static const uint8_t last = 2;
    static const uint8_t padding[PUSH_PLAIN_MAX];
    int size = 0;
    int at = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool good =
        context != NULL && EVP_EncryptInit_ex2(context, the_cipher(), key, nonce, NULL) == 1 &&
        EVP_EncryptUpdate(context, sealed, &size, (const uint8_t *)plain.at, (int)plain.length) ==
            1;
    at += size;
    good = good && EVP_EncryptUpdate(context, sealed + at, &size, &last, 1) == 1;
    at += size;
    good = good && EVP_EncryptUpdate(context, sealed + at, &size, padding, (int)zeros) == 1;
    at += size;
    good = good && EVP_EncryptFinal_ex(context, sealed + at, &size) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG, sealed + at) == 1;
    EVP_CIPHER_CTX_free(context);
    return good;
}

bool push_encrypt(const struct push_recipient *recipient, const struct push_key *once,
                  const uint8_t salt[static PUSH_SALT], struct span plain, size_t padded,
                  uint8_t message[static PUSH_MESSAGE_MAX], size_t *size)
{
    static const char key_label[] = "Content-Encoding: aes128gcm";
    static const char nonce_label[] = "Content-Encoding: nonce";
    static const uint8_t record_size[4] = {0, 0, PUSH_MESSAGE_MAX >> 8, PUSH_MESSAGE_MAX & 255};
    uint8_t secret[HASH];
    uint8_t prk[HASH];
    uint8_t key[AES_KEY];
    uint8_t nonce[NONCE];
    uint8_t public[PUSH_PUBLIC];
    if (plain.length > PUSH_PLAIN_MAX || padded > PUSH_PLAIN_MAX ||
        !make_secret(recipient, once, secret, public))
        return false;
    extract(salt, PUSH_SALT, secret, prk);
    expand(prk, (struct span){key_label, sizeof key_label}, key, AES_KEY);
    expand(prk, (struct span){nonce_label, sizeof nonce_label}, nonce, NONCE);
    uint8_t *at = message;
    memcpy(at, salt, PUSH_SALT);
    at += PUSH_SALT;
    memcpy(at, record_size, sizeof record_size);
    at += sizeof record_size;
    *at++ = PUSH_PUBLIC;
    memcpy(at, public, PUSH_PUBLIC);
    size_t zeros = padded > plain.length ? padded - plain.length : 0;
    *size = PUSH_HEADER + plain.length + 1 + zeros + TAG;
    bool good = seal(key, nonce, plain, zeros, message + PUSH_HEADER);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(prk, sizeof prk);
    sodium_memzero(key, sizeof key);
    return good;
}

/* ---- The sender ---- */

/* The pair as an OpenSSL key, to be freed with EVP_PKEY_free(); NULL if it is invalid. */
static EVP_PKEY *load_pair(const struct push_key *pair)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *scalar = BN_bin2bn(pair->private, PUSH_PRIVATE, NULL);
    OSSL_PARAM *parameters = NULL;
    bool good =
        context != NULL && build != NULL && scalar != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, pair->public,
                                         PUSH_PUBLIC) == 1 &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1;
    if (good)
        parameters = OSSL_PARAM_BLD_to_param(build);
    if (parameters != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters) != 1)
        key = NULL;
    OSSL_PARAM_free(parameters);
    BN_clear_free(scalar);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    return key;
}

static bool sign(const struct push_key *key, struct span text, uint8_t signature[static SIGNATURE])
{
    uint8_t der[128];
    size_t size = sizeof der;
    const uint8_t *at = der;
    EVP_PKEY *loaded = load_pair(key);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = loaded != NULL && context != NULL &&
                EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, loaded) == 1 &&
                EVP_DigestSign(context, der, &size, (const uint8_t *)text.at, text.length) == 1;
    ECDSA_SIG *parts = good ? d2i_ECDSA_SIG(NULL, &at, (long)size) : NULL;
    good = parts != NULL &&
           BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, SIGNATURE / 2) == SIGNATURE / 2 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + SIGNATURE / 2, SIGNATURE / 2) ==
               SIGNATURE / 2;
    ECDSA_SIG_free(parts);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(loaded);
    return good;
}

/* Appends base64 for URLs, of at most 512 bytes. */
static void add_url64(struct text *text, const void *bytes, size_t size)
{
    char encoded[700];
    if (size > 512) {
        text->overflow = true;
        return;
    }
    sodium_bin2base64(encoded, sizeof encoded, bytes, size,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text_add(text, encoded);
}

/* Appends scheme, host and, unless it is the default, port (RFC 6454). */
static bool add_origin(struct text *text, const char *url)
{
    CURLU *parts = curl_url();
    char *scheme = NULL;
    char *host = NULL;
    char *port = NULL;
    bool good = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK;
    if (good) {
        text_add_all(text, scheme, "://", host);
    }
    if (good && curl_url_get(parts, CURLUPART_PORT, &port, CURLU_NO_DEFAULT_PORT) == CURLUE_OK) {
        text_add_char(text, ':');
        text_add(text, port);
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(parts);
    return good && !text->overflow;
}

static bool add_claims(struct text *text, const char *endpoint, const char *contact,
                       int64_t expires_s)
{
    char bytes[300];
    char written[512];
    struct text origin = TEXT_OVER(bytes);
    if (!add_origin(&origin, endpoint))
        return false;
    json_t *claims = json_pack("{s:s, s:I}", "aud", bytes, "exp", (json_int_t)expires_s);
    if (contact != NULL)
        json_object_set_new(claims, "sub", json_string(contact));
    size_t length = json_dumpb(claims, written, sizeof written, JSON_COMPACT);
    json_decref(claims);
    if (length == 0 || length > sizeof written)
        return false;
    add_url64(text, written, length);
    return true;
}

bool push_authorization(const struct push_key *key, const char *endpoint, const char *contact,
                        int64_t expires_s, struct text *value)
{
    static const char header[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    char bytes[1024];
    struct text token = TEXT_OVER(bytes);
    uint8_t signature[SIGNATURE];
    add_url64(&token, header, sizeof header - 1);
    text_add_char(&token, '.');
    if (!add_claims(&token, endpoint, contact, expires_s) || token.overflow ||
        !sign(key, text_span(&token), signature))
        return false;
    text_add_char(&token, '.');
    add_url64(&token, signature, sizeof signature);
    text_add(value, "vapid t=");
    text_add_span(value, text_span(&token));
    text_add(value, ", k=");
    add_url64(value, key->public, PUSH_PUBLIC);
    return !token.overflow && !value->overflow;
}
