import { readFile, realpath } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import { ALWAYS, PAGE_POLICY, weakTagOf } from './answers.ts'
import type { CachedAnswer } from './cache/byte-cache.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** Serves the built page: the file at a decoded path, or null if there is none. */
export type StaticPage = (path: string) => Promise<CachedAnswer | null>

/** A file whose name contains a content hash never changes. */
const isHashed = (path: string): boolean => /-[\w-]{8,}\.\w+$/.test(path)

/**
 * Serves the files of the built page: `index.html` at `/` only, assets by their path. Only known
 * file types inside the folder are served; links that lead out of the folder are not followed.
 */
export function createStaticPage(folder: string): StaticPage {
  const root = resolve(folder)
  const cache = new Map<string, CachedAnswer>()
  return async (path) => {
    const name = path === '/' ? '/index.html' : path
    const type = TYPES[extname(name)]
    const file = join(root, name)
    const isInside = file.startsWith(root + sep) && !name.includes('\0')
    if (type === undefined || !isInside || (name === '/index.html' && path !== '/')) return null
    const existing = cache.get(name)
    if (existing !== undefined) return existing
    try {
      const real = await realpath(file)
      if (!real.startsWith((await realpath(root)) + sep)) return null
      const fileBytes = await readFile(real)
      const etag = weakTagOf(fileBytes)
      const age = isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
      const headers = [...ALWAYS, 'Content-Type', type, 'Cache-Control', age, 'ETag', etag, 'Vary']
      headers.push('Accept-Encoding')
      if (extname(name) === '.html') headers.push('Content-Security-Policy', PAGE_POLICY)
      const answer = { status: 200, headers, etag, plain: fileBytes, gzip: null, br: null }
      if (isHashed(name)) cache.set(name, answer)
      return answer
    } catch {
      return null
    }
  }
}
