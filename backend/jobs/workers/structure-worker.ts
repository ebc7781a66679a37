import { parentPort } from 'node:worker_threads'
import { answerStructure } from '../../computed/snapshot/structure/structure-thread.ts'

if (parentPort === null) throw new Error('The structure worker runs as a worker thread')
answerStructure(parentPort)
