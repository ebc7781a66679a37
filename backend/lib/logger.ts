import { pino } from 'pino'
import { LogLines } from './log-lines.ts'

/**
 * Structured log of the service: JSON lines on stderr, since stdout carries only the ready line.
 */
export interface Logger {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
  child(bindings: object): Logger
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'
export const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug']

/** Field names whose values are redacted, at the root and one level below. */
const SECRET_PATHS = ['authorization', 'cookie', 'secret', 'apiKey', 'privateKey'].flatMap(
  (name) => [name, `*.${name}`],
)

export const createLogger = (level: LogLevel): Logger =>
  pino({ level, redact: SECRET_PATHS, base: null }, new LogLines(2))

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
}
