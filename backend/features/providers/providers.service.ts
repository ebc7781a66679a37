import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../lib/durable-file.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { modelAccessOf, type ModelAccess } from './provider-access.ts'
import type { Provider } from './providers.schema.ts'

/** The one provider that a part of the service asks today. */
const LANGUAGE_MODEL = 'llm'

/** Access to outside providers: what the environment gave at the start, else what was stored here. */
export interface Providers {
  /** What the language model is asked with now; null without one. */
  languageModel(): ModelAccess | null
  /** @throws NotFound for a provider that nothing here asks */
  of(name: string): Provider
  /** Stores an access whole, in place of the one before. @throws NotFound, InvalidInput */
  put(name: string, body: unknown): Provider
  /** Forgets the stored access, if there is one. @throws NotFound */
  remove(name: string): Provider
}

/**
 * Stored accesses stand in `secrets/providers.json` of the data folder, for its owner alone to read.
 * @param deps.environment what wins over everything stored
 * @param deps.onChanged called after another access is in use
 */
export function createProviders(deps: {
  readonly dataDir: string
  readonly environment: ModelAccess | null
  readonly logger: Logger
  readonly onChanged: () => void
}): Providers {
  const { environment, onChanged } = deps
  const path = join(deps.dataDir, 'secrets', 'providers.json')
  let stored = read(path, deps.logger)

  const known = (name: string): void => {
    if (name !== LANGUAGE_MODEL) throw new NotFound('Provider not found')
  }
  const told = (): Provider => {
    const used = environment ?? stored
    return {
      name: LANGUAGE_MODEL,
      configured: used !== null,
      source: environment !== null ? 'environment' : stored !== null ? 'stored' : null,
      url: used === null ? null : withoutSecrets(used.url),
      hasKey: (used?.key ?? null) !== null,
      models: used?.models ?? null,
    }
  }
  return {
    languageModel: () => environment ?? stored,
    of(name) {
      known(name)
      return told()
    },
    put(name, body) {
      known(name)
      const access = modelAccessOf(body)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      replaceFile(path, JSON.stringify({ [LANGUAGE_MODEL]: access }))
      stored = access
      onChanged()
      return told()
    },
    remove(name) {
      known(name)
      rmSync(path, { force: true })
      stored = null
      onChanged()
      return told()
    },
  }
}

/** The environment may hold a user name or a query in an address, which are nobody's to read. */
function withoutSecrets(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? '' : `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '')
}

function read(path: string, logger: Logger): ModelAccess | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  } catch {
    return null
  }
  try {
    const file = JSON.parse(text) as Record<string, unknown>
    return LANGUAGE_MODEL in file ? modelAccessOf(file[LANGUAGE_MODEL]) : null
  } catch {
    logger.warn({ path }, 'the stored access to providers cannot be read; set it again')
    return null
  }
}
