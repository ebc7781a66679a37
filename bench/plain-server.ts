import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Answers every request with the same prepared bytes, as fast as Node's own server can. */
const { body, type } = workerData as { readonly body: Uint8Array; readonly type: string }
const bytes = Buffer.from(body)
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
parentPort?.once('message', () => process.exit(0))
