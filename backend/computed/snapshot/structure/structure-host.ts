import { Worker } from 'node:worker_threads'
import type { StructureResponse, StructureRequest } from './structure-thread.ts'
import type { Structure, StructureInput } from './structure.ts'

const WORKER = new URL('../../../jobs/workers/structure-worker.ts', import.meta.url)

/** Computes relations between markets off the event loop. */
export interface StructureHost {
  read(input: StructureInput): Promise<Structure>
  close(): Promise<void>
}

interface PendingCall {
  readonly resolve: (structure: Structure) => void
  readonly reject: (error: Error) => void
}

/** A worker thread that is started on the first request and restarted after it died. */
export function createStructureHost(): StructureHost {
  const pendingCalls = new Map<number, PendingCall>()
  let worker: Worker | null = null
  let lastId = 0
  let isClosed = false
  const failAll = (error: Error): void => {
    worker = null
    for (const { reject } of pendingCalls.values()) reject(error)
    pendingCalls.clear()
  }
  const start = (): Worker => {
    const newWorker = new Worker(WORKER)
    newWorker.unref()
    newWorker.on('message', (response: StructureResponse) => {
      const requester = pendingCalls.get(response.id)
      pendingCalls.delete(response.id)
      if ('structure' in response) requester?.resolve(response.structure)
      else requester?.reject(new Error(response.message))
    })
    newWorker.on('error', (error) =>
      failAll(error instanceof Error ? error : new Error(String(error))),
    )
    newWorker.on('exit', () => {
      if (worker === newWorker) failAll(new Error('The structure worker thread exited'))
    })
    return newWorker
  }
  return {
    read(input) {
      if (isClosed) return Promise.reject(stoppingError())
      worker ??= start()
      lastId += 1
      const request: StructureRequest = { id: lastId, input }
      const structure = new Promise<Structure>((resolve, reject) => {
        pendingCalls.set(request.id, { resolve, reject })
      })
      worker.postMessage(request)
      return structure
    },
    async close() {
      isClosed = true
      const previousWorker = worker
      worker = null
      await previousWorker?.terminate()
      failAll(stoppingError())
    },
  }
}

const stoppingError = (): Error => new Error('The service is stopping')
