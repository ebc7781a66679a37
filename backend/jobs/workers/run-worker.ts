import { parentPort } from 'node:worker_threads'
import { sortRuns } from '../../history/duckdb/run-thread.ts'

if (parentPort === null) throw new Error('The run worker runs as a worker thread')
sortRuns(parentPort)
