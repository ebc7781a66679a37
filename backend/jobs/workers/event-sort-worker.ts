import { parentPort } from 'node:worker_threads'
import { runSortWorker } from '../../history/duckdb/event-stream/sort-worker.ts'

if (parentPort === null) throw new Error('The event sort worker runs as a worker thread')
runSortWorker(parentPort)
