import { randomBytes } from 'node:crypto'

/** Ids of requests: 12 random characters of the process and a count, 20 characters in all. */
export function createRequestIds(): () => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return process + count.toString(36).padStart(8, '0')
  }
}
