-- Addresses of accounts, for mail; what is to be sent; and the tokens in links of mails.
SET LOCAL ROLE tillroll_owner;

-- `address` as entered, its domain in lower case. Several accounts may have the same one.
CREATE TABLE tillroll.email (
    player_id uuid PRIMARY KEY REFERENCES tillroll.player,
    address text NOT NULL CHECK (octet_length(address) BETWEEN 3 AND 254),
    language text NOT NULL CHECK (language IN ('en', 'de')),
    set_at timestamptz(3) NOT NULL,
    confirmed_at timestamptz(3)
);
CREATE INDEX email_confirmed ON tillroll.email (lower(address), player_id) WHERE confirmed_at IS NOT NULL;
GRANT SELECT, INSERT, DELETE, UPDATE (address, language, set_at, confirmed_at) ON tillroll.email TO tillroll_service;

-- By SHA-256. A token that is used is deleted.
CREATE TABLE tillroll.mail_token (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    purpose text NOT NULL CHECK (purpose IN ('confirm_email', 'reset_password')),
    address text NOT NULL,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mail_token_of_player ON tillroll.mail_token (player_id);
CREATE INDEX mail_token_expires ON tillroll.mail_token (expires_at);
GRANT SELECT, INSERT, DELETE ON tillroll.mail_token TO tillroll_service;

-- What is to be sent, written in the transaction that causes it. It is tried from `due_at` on, which whoever tries
-- moves on first, so that nobody else does meanwhile; not after `until`. `player_id` is NULL until it is known whose
-- the address is. `address` goes when the mail is sent. No secret is ever in here.
CREATE TABLE tillroll.outbox (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('confirm_email', 'reset_password', 'email_changed', 'password_changed')),
    player_id uuid REFERENCES tillroll.player,
    address text CHECK (octet_length(address) BETWEEN 3 AND 254),
    language text NOT NULL CHECK (language IN ('en', 'de')),
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    until timestamptz(3) NOT NULL,
    due_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    reason text CHECK (char_length(reason) <= 300),
    ended_at timestamptz(3),
    CHECK ((state = 'waiting') = (ended_at IS NULL)),
    CHECK ((state = 'sent') = (address IS NULL))
);
CREATE INDEX outbox_due ON tillroll.outbox (due_at) WHERE state = 'waiting';
CREATE INDEX outbox_of_player ON tillroll.outbox (player_id, id) WHERE player_id IS NOT NULL;
CREATE INDEX outbox_ended_at ON tillroll.outbox (ended_at) WHERE state <> 'waiting';
GRANT SELECT, INSERT, DELETE, UPDATE (player_id, address, state, due_at, attempts, reason, ended_at)
    ON tillroll.outbox TO tillroll_service;
