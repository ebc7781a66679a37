import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'

/** A request that the venue refuses with its error body. */
export class Refusal extends Error {
  readonly reply: Reply
  constructor(status: number, code: string, message: string) {
    super(message)
    this.reply = json({ error: { code, message, details: message } }, status)
  }
}
export const badRequest = (message: string): Refusal => new Refusal(400, 'bad_request', message)

/** The response of a handler, or its refusal. */
export const answerHandler =
  <Call>(handler: (call: Call) => Reply) =>
  (call: Call): Reply => {
    try {
      return handler(call)
    } catch (error) {
      if (error instanceof Refusal) return error.reply
      throw error
    }
  }

/** An integer parameter within bounds; refused when it is not a number or out of bounds. */
export function integer(
  query: URLSearchParams,
  name: string,
  fallback: number,
  low: number,
  high: number,
): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < low || value > high)
    throw badRequest(`invalid parameter ${name}`)
  return value
}

/** A time in unix seconds as ms, or null. */
export function seconds(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw badRequest(`invalid parameter ${name}`)
  return value * 1_000
}

export const list = (text: string | null): string[] =>
  (text ?? '').split(',').filter((part) => part !== '')
