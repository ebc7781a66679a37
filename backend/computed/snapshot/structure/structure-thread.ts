import type { MessagePort } from 'node:worker_threads'
import { Fingerprints, structureOf, type Structure, type StructureInput } from './structure.ts'

export interface StructureRequest {
  readonly id: number
  readonly input: StructureInput
}
export type StructureResponse =
  | { readonly id: number; readonly structure: Structure }
  | { readonly id: number; readonly message: string }

/** Answers structure requests on the worker's side of a port; caches parsed texts. */
export function answerStructure(port: MessagePort): void {
  const fingerprints = new Fingerprints()
  port.on('message', ({ id, input }: StructureRequest) => {
    let response: StructureResponse
    try {
      response = { id, structure: structureOf(input, fingerprints) }
    } catch (error) {
      response = { id, message: error instanceof Error ? error.message : String(error) }
    }
    port.postMessage(response)
  })
}
