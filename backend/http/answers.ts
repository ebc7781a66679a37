import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { CachedAnswer } from './byte-cache.ts'
import type { Refusal } from './errors.ts'
import type { CacheRule, CacheWord, SentQuery } from './words.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** Smallest body worth compressing. */
const COMPRESSED_FROM = 1_000
/** Age of an answer about a past instant: it does not change. */
const PAST_AGE = 86_400
/** Bytes are made anew after this long even where readers may keep them longer. */
const LONGEST_LIFE = 5

const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|yaml|atom\+xml)|image\/svg)/

/** Content types whose body is one piece; everything else is passed on as it comes. */
export const isWhole = (contentType: string): boolean => COMPRESSIBLE.test(contentType)

/** Headers of every answer. */
export const ALWAYS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/** Policy of every HTML answer: own scripts and styles from files, nothing inline, nothing remote. */
export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

/** The rule that holds for a query; an answer about the past keeps for a day. */
export function ruleFor(word: CacheWord, query: SentQuery): CacheRule | null {
  const chosen = typeof word === 'function' ? word(query) : word
  if (chosen === 'no-store') return null
  const rule = typeof chosen === 'number' ? { seconds: chosen } : chosen
  return (query['asOf'] ?? '') === '' ? rule : { ...rule, seconds: PAST_AGE }
}

export function cacheControlOf(rule: CacheRule | null, hasCaller: boolean): string {
  if (rule === null) return 'no-store'
  const { seconds, scope = 'public', revalidate } = rule
  if (hasCaller || scope === 'private') {
    const then = revalidate === undefined ? '' : `, stale-while-revalidate=${revalidate}`
    return `private, max-age=${seconds}${then}`
  }
  if (scope === 'proxy') return `public, s-maxage=${seconds}, stale-while-revalidate=${seconds * 5}`
  return `public, max-age=${seconds}, stale-while-revalidate=${seconds * 5}`
}

/** Milliseconds for which the bytes made by a rule may be given again. */
export const lifeOf = (rule: CacheRule): number => Math.min(rule.seconds, LONGEST_LIFE) * 1_000

/**
 * Times at which an answer was made are no part of what it says, so they stay out of its tag; nor are
 * ages, which follow from them.
 */
const MADE_AT =
  /"(?:generatedAt|fetchedAt|servedAt)":"[^"]*"|"(?:generated_at|generatedInMs|latencyMs|ageSeconds)":\d+/g

/** Weak tag of a body: equal for equal content, whenever it was made. */
export const weakTagOf = (body: Buffer): string =>
  `W/"${hash('sha1', body.toString('latin1').replace(MADE_AT, ''), 'base64url').slice(0, 22)}"`

const contentTypeOf = (headers: Headers): string => {
  const type = headers.get('content-type') ?? 'application/json'
  return type.startsWith('application/json') || (type.startsWith('text/') && !type.includes(';'))
    ? `${type.split(';')[0] ?? type}; charset=utf-8`
    : type
}

const DRESSED = new Set(['content-type', 'content-length', 'cache-control', 'etag', 'vary'])

/** Turns a route's response into bytes with the headers that its words ask for. */
export async function answerOf(
  response: Response,
  rule: CacheRule | null,
  hasCaller: boolean,
): Promise<CachedAnswer> {
  const plain = Buffer.from(await response.arrayBuffer())
  const fits = response.status >= 200 && response.status < 300
  const kept = fits ? rule : null
  const type = contentTypeOf(response.headers)
  // A route that puts together what is tagged already gives the tag of the whole.
  const etag = kept === null ? null : (response.headers.get('etag') ?? weakTagOf(plain))
  const vary = ['Origin', 'Accept-Encoding']
  if (rule?.byAccept === true) vary.push('Accept')
  if (hasCaller) vary.push('Authorization', 'Cookie')
  const headers = [
    ...ALWAYS,
    'Cache-Control',
    cacheControlOf(kept, hasCaller),
    'Vary',
    vary.join(', '),
  ]
  if (plain.length > 0) headers.push('Content-Type', type)
  if (etag !== null) headers.push('ETag', etag)
  if (type.startsWith('text/html')) headers.push('Content-Security-Policy', PAGE_POLICY)
  for (const [name, value] of response.headers) if (!DRESSED.has(name)) headers.push(name, value)
  return { status: response.status, headers, etag, plain, gzip: null, br: null }
}

/** A refusal as bytes; never kept. */
export function refusalAnswer({ status, body, headers }: Refusal): CachedAnswer {
  const dressed = [
    ...ALWAYS,
    'Cache-Control',
    'no-store',
    'Vary',
    'Origin, Accept-Encoding',
    'Content-Type',
    'application/json; charset=utf-8',
  ]
  for (const [name, value] of Object.entries(headers)) dressed.push(name, value)
  const plain = Buffer.from(JSON.stringify(body))
  return { status, headers: dressed, etag: null, plain, gzip: null, br: null }
}

type Coding = 'br' | 'gzip'

/** The coding to use for a reader: Brotli before gzip, none when neither is wanted. */
export function codingFor(accepted: string | undefined): Coding | null {
  if (accepted === undefined || accepted === '') return null
  const refused = /(br|gzip)\s*;\s*q=0(?:\.0*)?(?=\s*(?:,|$))/gi
  const wanted = accepted.replace(refused, '')
  if (/\bbr\b/i.test(wanted)) return 'br'
  return /\bgzip\b/i.test(wanted) ? 'gzip' : null
}

/** Whether an answer is long and textual enough to be compressed. */
const isCompressible = (answer: CachedAnswer): boolean => {
  const at = answer.headers.indexOf('Content-Type')
  return answer.plain.length >= COMPRESSED_FROM && isWhole(answer.headers[at + 1] ?? '')
}

/**
 * The window that holds a body: the usual one of 4 MB is cleared for each answer, which takes longer
 * than to compress one of a few kilobytes.
 */
const windowBitsFor = (length: number): number =>
  Math.min(
    Math.max(Math.ceil(Math.log2(length + 16)), constants.BROTLI_MIN_WINDOW_BITS),
    constants.BROTLI_DEFAULT_WINDOW,
  )

/** The body for a reader, compressed when both want it; made once and kept with the answer. */
export function bodyFor(
  answer: CachedAnswer,
  accepted: string | undefined,
): { body: Buffer; coding: Coding | null } | Promise<{ body: Buffer; coding: Coding | null }> {
  const coding = isCompressible(answer) ? codingFor(accepted) : null
  if (coding === null) return { body: answer.plain, coding }
  const ready = answer[coding]
  return ready === null ? compressed(answer, coding) : { body: ready, coding }
}

async function compressed(answer: CachedAnswer, coding: Coding) {
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

/** Whether a conditional request names the tag; weak comparison. */
export function matches(ifNoneMatch: string | undefined, etag: string | null): boolean {
  if (ifNoneMatch === undefined || etag === null) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === opaque)
}
