import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { CachedAnswer } from './cache/byte-cache.ts'
import type { Refusal } from './errors.ts'
import type { CacheRule, CachePolicy, SentQuery } from './routes/route-policies.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** Smallest body that is compressed, bytes. */
const COMPRESSED_FROM = 1_000
/** `max-age` of an answer about a past instant, seconds. Such answers do not change. */
const PAST_AGE = 86_400
/** Longest time the server caches an answer, seconds, even if clients may cache it for longer. */
const MAX_LIFETIME = 5

const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|yaml|atom\+xml)|image\/svg)/

/** Content types whose body is sent as a whole; other bodies are streamed. */
export const isWhole = (contentType: string): boolean => COMPRESSIBLE.test(contentType)

/** Headers of every response. */
export const ALWAYS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/**
 * Content security policy of every HTML response: only the page's own script and style files,
 * nothing inline, nothing remote.
 */
export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

/**
 * The cache rule for a query; null if the answer must not be cached. An answer about the past may
 * be cached for a day.
 */
export function ruleFor(policy: CachePolicy, query: SentQuery): CacheRule | null {
  const cacheRule = typeof policy === 'function' ? policy(query) : policy
  if (cacheRule === 'no-store') return null
  const rule = typeof cacheRule === 'number' ? { seconds: cacheRule } : cacheRule
  return (query['asOf'] ?? '') === '' ? rule : { ...rule, seconds: PAST_AGE }
}

export function cacheControlOf(rule: CacheRule | null, hasCaller: boolean): string {
  if (rule === null) return 'no-store'
  const { seconds, scope = 'public', revalidate } = rule
  if (hasCaller && rule.forKnown === 'no-store') return 'private, no-store'
  if (hasCaller || scope === 'private') {
    const then = revalidate === undefined ? '' : `, stale-while-revalidate=${revalidate}`
    return `private, max-age=${seconds}${then}`
  }
  if (scope === 'proxy') return `public, s-maxage=${seconds}, stale-while-revalidate=${seconds * 5}`
  return `public, max-age=${seconds}, stale-while-revalidate=${seconds * 5}`
}

/** How long the server caches an answer under a rule, milliseconds. */
export const lifeOf = (rule: CacheRule): number => Math.min(rule.seconds, MAX_LIFETIME) * 1_000

/**
 * Times and ages of the creation of a response. The entity tag leaves them out because they
 * change without a change of content.
 */
const CREATED_AT =
  /"(?:generatedAt|fetchedAt|servedAt)":"[^"]*"|"(?:generated_at|generatedInMs|latencyMs|ageSeconds)":\d+/g

/** Weak entity tag of a body: equal for equal content, whenever it was produced. */
export const weakTagOf = (body: Buffer): string =>
  `W/"${hash('sha1', body.toString('latin1').replace(CREATED_AT, ''), 'base64url').slice(0, 22)}"`

const contentTypeOf = (headers: Headers): string => {
  const type = headers.get('content-type') ?? 'application/json'
  return type.startsWith('application/json') || (type.startsWith('text/') && !type.includes(';'))
    ? `${type.split(';')[0] ?? type}; charset=utf-8`
    : type
}

const REPLACED_HEADERS = new Set([
  'content-type',
  'content-length',
  'cache-control',
  'etag',
  'vary',
])

/** Converts a route's response to bytes with the headers of its cache rule. */
export async function answerOf(
  response: Response,
  rule: CacheRule | null,
  hasCaller: boolean,
): Promise<CachedAnswer> {
  const plainBody = Buffer.from(await response.arrayBuffer())
  const fits = response.status >= 200 && response.status < 300
  const cacheRule = fits ? rule : null
  const type = contentTypeOf(response.headers)
  // A route that assembles parts with tags of their own sets the tag of the whole.
  const etag = cacheRule === null ? null : (response.headers.get('etag') ?? weakTagOf(plainBody))
  const vary = ['Origin', 'Accept-Encoding']
  if (rule?.byAccept === true) vary.push('Accept')
  if (hasCaller) vary.push('Authorization', 'Cookie')
  const headers = [
    ...ALWAYS,
    'Cache-Control',
    cacheControlOf(cacheRule, hasCaller),
    'Vary',
    vary.join(', '),
  ]
  if (plainBody.length > 0) headers.push('Content-Type', type)
  if (etag !== null) headers.push('ETag', etag)
  if (type.startsWith('text/html')) headers.push('Content-Security-Policy', PAGE_POLICY)
  for (const [name, value] of response.headers)
    if (!REPLACED_HEADERS.has(name)) headers.push(name, value)
  return { status: response.status, headers, etag, plain: plainBody, gzip: null, br: null }
}

/** A refusal as bytes; it is never cached. */
export function refusalAnswer({ status, body, headers }: Refusal): CachedAnswer {
  const lines = [
    ...ALWAYS,
    'Cache-Control',
    'no-store',
    'Vary',
    'Origin, Accept-Encoding',
    'Content-Type',
    'application/json; charset=utf-8',
  ]
  for (const [name, value] of Object.entries(headers)) lines.push(name, value)
  const plainBody = Buffer.from(JSON.stringify(body))
  return { status, headers: lines, etag: null, plain: plainBody, gzip: null, br: null }
}

type Coding = 'br' | 'gzip'

/** The content coding for a client: Brotli before gzip; null if it accepts neither. */
export function codingFor(acceptHeader: string | undefined): Coding | null {
  if (acceptHeader === undefined || acceptHeader === '') return null
  const refusedCodings = /(br|gzip)\s*;\s*q=0(?:\.0*)?(?=\s*(?:,|$))/gi
  const acceptable = acceptHeader.replace(refusedCodings, '')
  if (/\bbr\b/i.test(acceptable)) return 'br'
  return /\bgzip\b/i.test(acceptable) ? 'gzip' : null
}

/** Whether an answer is text and long enough to be compressed. */
const isCompressible = (answer: CachedAnswer): boolean => {
  const at = answer.headers.indexOf('Content-Type')
  return answer.plain.length >= COMPRESSED_FROM && isWhole(answer.headers[at + 1] ?? '')
}

/**
 * Brotli window (log2 of bytes) that fits a body. The default window of 4 MB is cleared for each
 * body, which takes longer than compressing a few kilobytes.
 */
const windowBitsFor = (length: number): number =>
  Math.min(
    Math.max(Math.ceil(Math.log2(length + 16)), constants.BROTLI_MIN_WINDOW_BITS),
    constants.BROTLI_DEFAULT_WINDOW,
  )

/**
 * The body for a client, compressed if the client accepts that. The compressed form is computed
 * once and cached with the answer.
 */
export function bodyFor(
  answer: CachedAnswer,
  acceptHeader: string | undefined,
): { body: Buffer; coding: Coding | null } | Promise<{ body: Buffer; coding: Coding | null }> {
  const coding = isCompressible(answer) ? codingFor(acceptHeader) : null
  if (coding === null) return { body: answer.plain, coding }
  const ready = answer[coding]
  return ready === null ? compress(answer, coding) : { body: ready, coding }
}

async function compress(answer: CachedAnswer, coding: Coding) {
  const body =
    coding === 'br'
      ? await compressBrotli(answer.plain, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 4,
            [constants.BROTLI_PARAM_SIZE_HINT]: answer.plain.length,
            [constants.BROTLI_PARAM_LGWIN]: windowBitsFor(answer.plain.length),
          },
        })
      : await compressGzip(answer.plain, { level: 6 })
  answer[coding] = body
  return { body, coding }
}

/** Whether a conditional request lists the tag (weak comparison). */
export function matches(ifNoneMatch: string | undefined, etag: string | null): boolean {
  if (ifNoneMatch === undefined || etag === null) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === opaque)
}
