import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A request that a receiver got. */
export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** An HTTPS server on loopback that receives webhooks. */
export interface HttpsReceiver {
  readonly url: string
  /** Its certificate, which is its own authority. */
  readonly certificate: string
  readonly received: readonly Received[]
  /** How it answers from now on. */
  answer: (response: ServerResponse, received: Received) => void
  close(): Promise<void>
}

const SUBJECT = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']

interface Identity {
  readonly key: string
  readonly cert: string
}

/** A key and a certificate for `localhost`, made by openssl. */
export function selfSigned(): Identity {
  const folder = mkdtempSync(join(tmpdir(), 'augury-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const created = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
    const files = ['-nodes', '-days', '2', '-keyout', key, '-out', cert]
    execFileSync('openssl', [...created, ...files, ...SUBJECT], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let common: Identity | null = null

/** @param identity the one of all receivers of a test file by default */
export async function startHttpsReceiver(identity?: Identity): Promise<HttpsReceiver> {
  const { key, cert } = identity ?? (common ??= selfSigned())
  const received: Received[] = []
  const server = createServer({ key, cert }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(parts).toString('utf8') }
      received.push(one)
      receiver.answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: HttpsReceiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    certificate: cert,
    received,
    answer: (response) => response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
