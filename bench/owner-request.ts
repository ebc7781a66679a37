import { request } from 'node:http'
import { readLaunch } from '../backend/lib/files/launch-file.ts'

export interface ReadResponse {
  readonly status: number
  readonly body: Buffer
  /** Name and value of the cookie that the response sets; empty without one. */
  readonly cookie: string
}

/** Sends a request and reads its response to the end; a body is sent as JSON. */
export const sendRequest = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<ReadResponse> =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url, { method, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks),
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? '' : JSON.stringify(body))
  })

/** The session cookie of the local owner, whose tier is institutional. */
export async function ownerCookie(url: string, folder: string): Promise<string> {
  const authorization = `Launch ${readLaunch(folder)?.secret ?? ''}`
  const issued = await sendRequest(`${url}/api/auth/local`, 'POST', { authorization }, {})
  const { ticket } = JSON.parse(issued.body.toString()) as { ticket: string }
  return (await sendRequest(`${url}/api/auth/exchange`, 'POST', {}, { ticket })).cookie
}
