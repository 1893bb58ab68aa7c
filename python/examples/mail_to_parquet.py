"""Write all links of a mailing-list archive into a Parquet file: mail_to_parquet.py OUT.parquet MAILBOX..."""

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import rehref

out, *mailboxes = sys.argv[1:]
links = rehref.table(map(Path, mailboxes), columns=["archive", "message_id", "part", "header", "uri", "host", "notes"])
with pq.ParquetWriter(out, pa.schema(links)) as writer:
    for batch in pa.RecordBatchReader.from_stream(links):
        writer.write_batch(batch)
for warning in links.warnings:
    print(f"{warning.doc}: {warning.text}", file=sys.stderr)
