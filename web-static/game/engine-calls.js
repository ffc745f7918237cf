// An engine that runs in a worker: its calls, and what it refuses.
import { Problem, refusalOf } from "../lib/common.js";
import { readRefusals } from "../refusals/refusals.js";
import { say } from "../lib/words.js";

// What the rules do not allow, reported by the engine.
class Refusal extends Problem {
  constructor({ code, message, index }) {
    super(code, 422, message);
    this.document = { move_index: index };
  }

  get words() {
    return refusalOf(this.message);
  }
}

export class EngineCalls {
  #worker;
  #calls = 0;
  #waiting = new Map(); // id of a call -> its resolver

  // Resolves with false if this server was built without engines for browsers.
  start(address) {
    this.#worker = new Worker(address, { type: "module" });
    return new Promise((resolve, reject) => {
      const broken = () => {
        const problem = new Problem("engine", 422, say("practice.broken"));
        for (const call of this.#waiting.values()) call.reject(problem);
        reject(problem);
      };
      this.#worker.addEventListener("error", broken);
      this.#worker.addEventListener("message", ({ data }) => {
        if (data.fault) broken();
        else if (data.id === undefined) resolve(data.ready === true);
        else this.#answered(data);
      });
    });
  }

  async #answered({ id, result, refused }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (refused) await readRefusals();
    if (refused) reject(new Refusal(refused));
    else resolve(result);
  }

  // Resolves with the call's result; rejects with a Problem.
  ask(call, ...given) {
    const id = this.#calls++;
    this.#worker.postMessage({ id, call, given });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }
}
