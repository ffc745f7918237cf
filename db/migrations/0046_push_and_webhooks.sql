-- Where notices go beside mail: browsers, by web push, and addresses that players name, by webhooks.
SET LOCAL ROLE tillroll_owner;

-- The key pair by which push services know this service (RFC 8292), sealed; made at the first start.
CREATE TABLE tillroll_vault.push_key (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    sealed bytea NOT NULL CHECK (octet_length(sealed) = 137)
);
GRANT SELECT, INSERT, DELETE ON tillroll_vault.push_key TO tillroll_service;

-- Browsers. An address belongs to one browser; whoever enabled notices in it last gets them there. Until `rest_until`
-- nothing is sent, because the push service asked for it, or did not answer. `test_at`: a test is due then, in
-- `language`.
CREATE TABLE tillroll.push_subscription (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    endpoint text NOT NULL UNIQUE CHECK (octet_length(endpoint) BETWEEN 1 AND 1000),
    public_key bytea NOT NULL CHECK (octet_length(public_key) = 65),
    auth bytea NOT NULL CHECK (octet_length(auth) = 16),
    device text NOT NULL CHECK (octet_length(device) BETWEEN 1 AND 100),
    language text NOT NULL CHECK (language IN ('en', 'de')),
    since timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    rest_until timestamptz(3),
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    last_at timestamptz(3),
    reason text CHECK (char_length(reason) <= 300),
    test_at timestamptz(3)
);
CREATE INDEX push_subscription_of_player ON tillroll.push_subscription (player_id, id);
CREATE INDEX push_subscription_test ON tillroll.push_subscription (test_at) WHERE test_at IS NOT NULL;
GRANT SELECT, INSERT, DELETE,
    UPDATE (player_id, public_key, auth, device, language, since, rest_until, failures, last_at, reason, test_at)
    ON tillroll.push_subscription TO tillroll_service;

-- Webhooks. One whose target has answered 410 Gone is off.
CREATE TABLE tillroll.webhook (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 100),
    url text NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 1000),
    form text NOT NULL CHECK (form IN ('standard', 'discord', 'slack', 'matrix')),
    state text NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'gone')),
    since timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    rest_until timestamptz(3),
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0)
);
CREATE INDEX webhook_of_player ON tillroll.webhook (player_id, id);
GRANT SELECT, INSERT, DELETE, UPDATE (state, rest_until, failures) ON tillroll.webhook TO tillroll_service;

-- What signs its messages, sealed; after a change the one before signs, too, for a day.
CREATE TABLE tillroll_vault.webhook_secret (
    webhook_id uuid PRIMARY KEY REFERENCES tillroll.webhook ON DELETE CASCADE,
    sealed bytea NOT NULL CHECK (octet_length(sealed) = 72),
    before bytea CHECK (octet_length(before) = 72),
    before_until timestamptz(3),
    CHECK (num_nulls(before, before_until) IN (0, 2))
);
GRANT SELECT, INSERT, UPDATE (sealed, before, before_until) ON tillroll_vault.webhook_secret TO tillroll_service;

-- What was handed over to a webhook, or is to be, as its owner sees it. What waits is sent from the outbox; or, if it
-- is a test or a repeat that the owner asked for, from here, at `due_at`.
CREATE TABLE tillroll.webhook_delivery (
    webhook_id uuid NOT NULL REFERENCES tillroll.webhook ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (octet_length(kind) BETWEEN 1 AND 40),
    body text NOT NULL CHECK (octet_length(body) <= 65536),
    state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
    due_at timestamptz(3),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    tried_at timestamptz(3),
    status integer CHECK (status BETWEEN 100 AND 999),
    took_ms integer CHECK (took_ms >= 0),
    reason text CHECK (char_length(reason) <= 300),
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (webhook_id, id),
    CHECK (due_at IS NULL OR state = 'waiting')
);
CREATE INDEX webhook_delivery_due ON tillroll.webhook_delivery (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_old ON tillroll.webhook_delivery (created_at);
GRANT SELECT, INSERT, DELETE, UPDATE (state, due_at, attempts, tried_at, status, took_ms, reason)
    ON tillroll.webhook_delivery TO tillroll_service;

CREATE OR REPLACE VIEW tillroll.notice_way AS
    SELECT player_id, 'mail'::text AS channel, NULL::uuid AS target_id
    FROM tillroll.email WHERE confirmed_at IS NOT NULL
    UNION ALL
    SELECT player_id, 'push', id FROM tillroll.push_subscription
    UNION ALL
    SELECT player_id, 'webhook', id FROM tillroll.webhook WHERE state = 'on';
