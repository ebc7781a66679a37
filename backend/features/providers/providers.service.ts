import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../lib/files/durable-file.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { modelAccessOf, type ModelAccess } from './provider-access.ts'
import type { Provider } from '../../contract/operations.ts'

/** The only provider in use. */
const LANGUAGE_MODEL = 'llm'

/** Access to external providers: from the environment, else from storage. */
export interface Providers {
  /** Current access to the language model; null if none is configured. */
  languageModel(): ModelAccess | null
  /** @throws NotFound for an unknown provider */
  get(name: string): Provider
  /** Replaces the stored access. @throws NotFound, InvalidInput */
  put(name: string, body: unknown): Provider
  /** Deletes the stored access, if any. @throws NotFound */
  remove(name: string): Provider
}

/**
 * Accesses are stored in `secrets/providers.json` of the data folder, readable only by its owner.
 * @param deps.environment takes precedence over stored accesses
 * @param deps.onChanged called after the access changed
 */
export function createProviders(deps: {
  readonly dataDir: string
  readonly environment: ModelAccess | null
  readonly logger: Logger
  readonly onChanged: () => void
}): Providers {
  const { environment, onChanged } = deps
  const path = join(deps.dataDir, 'secrets', 'providers.json')
  let storedProviders = read(path, deps.logger)

  const requireKnownName = (name: string): void => {
    if (name !== LANGUAGE_MODEL) throw new NotFound('Provider not found')
  }
  const toResponse = (): Provider => {
    const activeProviders = environment ?? storedProviders
    return {
      name: LANGUAGE_MODEL,
      configured: activeProviders !== null,
      source: environment !== null ? 'environment' : storedProviders !== null ? 'stored' : null,
      url: activeProviders === null ? null : withoutSecrets(activeProviders.url),
      hasKey: (activeProviders?.key ?? null) !== null,
      models: activeProviders?.models ?? null,
    }
  }
  return {
    languageModel: () => environment ?? storedProviders,
    get(name) {
      requireKnownName(name)
      return toResponse()
    },
    put(name, body) {
      requireKnownName(name)
      const access = modelAccessOf(body)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      replaceFile(path, JSON.stringify({ [LANGUAGE_MODEL]: access }))
      storedProviders = access
      onChanged()
      return toResponse()
    },
    remove(name) {
      requireKnownName(name)
      rmSync(path, { force: true })
      storedProviders = null
      onChanged()
      return toResponse()
    },
  }
}

/** An address from the environment may contain a user name or query, which are not served. */
function withoutSecrets(url: string): string {
  const parsedUrl = URL.parse(url)
  return parsedUrl === null ? '' : `${parsedUrl.origin}${parsedUrl.pathname}`.replace(/\/+$/, '')
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
