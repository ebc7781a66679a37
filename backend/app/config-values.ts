import { isAbsolute, resolve } from 'node:path'

/**
 * A flag or variable that cannot be used; the message names the given value and the accepted ones.
 */
export class ConfigProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigProblem'
  }
}

/** Reads an integer between two bounds. */
export const integer =
  (min: number, max: number) =>
  (text: string, name: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new ConfigProblem(`${name} must be a whole number from ${min} to ${max}, was "${text}"`)
    }
    return value
  }

/** Reads one of the accepted words, ignoring case. */
export const choiceOf =
  <T extends string>(allowedValues: readonly T[]) =>
  (text: string, name: string): T => {
    const match = allowedValues.find((value) => value === text.toLowerCase())
    if (match === undefined) {
      throw new ConfigProblem(`${name} must be one of ${allowedValues.join(', ')}, was "${text}"`)
    }
    return match
  }

/**
 * Reads an address with one of these protocols, without trailing slashes; an empty text is null.
 */
export const address =
  (...protocols: string[]) =>
  (text: string, name: string): string | null => {
    if (text === '') return null
    const url = URL.parse(text)
    if (url === null || !protocols.includes(url.protocol)) {
      const forms = protocols.map((protocol) => `${protocol}//…`).join(' or ')
      throw new ConfigProblem(`${name} must be an address like ${forms}, was "${text}"`)
    }
    return text.replace(/\/+$/, '')
  }

/** Resolves a path against the working folder. */
export const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path))

/** Whether a host is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
