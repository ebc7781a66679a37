import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  CompactSign,
  exportJWK,
  generateKeyPair,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose'

/** Fields of a token's header besides the algorithm of its key. */
type Header = Readonly<Record<string, unknown>>

export interface ProviderKey {
  readonly alg: string
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

/** An identity provider on loopback: real keys, a real key set over real HTTP. */
export interface TestProvider {
  readonly issuer: string
  readonly jwksUrl: string
  /** How often the key set was requested. */
  readonly requested: () => number
  /** Other requests. */
  readonly strays: string[]
  /** Sets the keys of the key set. */
  list(...keys: readonly ProviderKey[]): void
  /** Sets the key set's raw response, until `list` is called. */
  answerWith(listener: RequestListener): void
  close(): Promise<void>
}

export async function providerKey(
  alg: 'RS256' | 'ES256' | 'EdDSA',
  kid: string,
): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { alg, kid, privateKey, publicKey, jwk }
}

/** A token signed with a key, with any claims. */
export const tokenOf = (
  key: ProviderKey,
  claims: JWTPayload | string,
  header: Header = {},
): Promise<string> =>
  new CompactSign(
    new TextEncoder().encode(typeof claims === 'string' ? claims : JSON.stringify(claims)),
  )
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid, ...header })
    .sign(key.privateKey)

export async function identityProvider(): Promise<TestProvider> {
  let requested = 0
  const strays: string[] = []
  let answer: RequestListener = (_request, response) => response.writeHead(500).end()
  const server = createServer((request, response) => {
    if (request.url === '/keys') {
      requested += 1
      answer(request, response)
      return
    }
    strays.push(request.url ?? '')
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const answerWith = (listener: RequestListener): void => void (answer = listener)
  return {
    issuer,
    jwksUrl: `${issuer}/keys`,
    requested: () => requested,
    strays,
    list(...keys) {
      const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })
      answerWith((_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
      })
    },
    answerWith,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
