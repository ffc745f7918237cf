-- Officials' signatures of lines of running games (engine/record/signature.h).
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.official_act
    ADD COLUMN key bytea CHECK (octet_length(key) = 32),
    ADD COLUMN signature bytea CHECK (octet_length(signature) = 64),
    ADD CHECK ((key IS NULL) = (signature IS NULL));
