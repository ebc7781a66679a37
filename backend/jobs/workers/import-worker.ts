import { parentPort, workerData } from 'node:worker_threads'
import { readInThread } from '../../ingest/import/reader-thread.ts'
import type { ReaderStart } from '../../ingest/import/worker-messages.ts'

if (parentPort === null) throw new Error('The import worker runs as a worker thread')
await readInThread(parentPort, workerData as ReaderStart)
