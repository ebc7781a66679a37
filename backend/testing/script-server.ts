import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply = (request: IncomingMessage, response: ServerResponse, body: string) => void

export interface ScriptServer {
  readonly url: string
  /** Method and path with query of each request, in order. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** A JSON answer. */
export const json =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }

/** A local HTTP server that answers each request by `reply(line, index)`. */
export async function startScriptServer(
  reply: (line: string, index: number) => Reply,
): Promise<ScriptServer> {
  const requests: ScriptServer['requests'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      requests.push({ line, headers: request.headers })
      const answer = reply(line, requests.length - 1)
      answer(request, response, Buffer.concat(chunks).toString('utf8'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
