-- Cosignatures of the transparency log's checkpoints, as witnesses have given them (api/push/witnesses.h).
SET LOCAL ROLE tillroll_owner;

-- `witness`: its verification key. A checkpoint that stays the newest for long is cosigned again.
CREATE TABLE tillroll.log_cosignature (
    size bigint NOT NULL REFERENCES tillroll.log_checkpoint,
    witness text NOT NULL CHECK (octet_length(witness) BETWEEN 1 AND 256),
    seconds bigint NOT NULL CHECK (seconds >= 0),
    line text NOT NULL CHECK (octet_length(line) <= 512 AND line ~ '^— [^\n]+\n$'),
    PRIMARY KEY (size, witness, seconds)
);
CREATE INDEX log_cosignature_witness ON tillroll.log_cosignature (witness, size, seconds);
CALL tillroll.make_append_only('tillroll.log_cosignature');
GRANT SELECT, INSERT ON tillroll.log_cosignature TO tillroll_service;
