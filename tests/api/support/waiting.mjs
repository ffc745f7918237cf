// Waiting with an end to it.

// Rejects when `promise` has not settled within `seconds`.
export async function within(seconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Calls `attempt` until it returns something true; its errors count as not yet. What has not come for long is asked for less often: an
// attempt costs everybody on this machine time.
export async function until(seconds, what, attempt) {
  const begin = Date.now();
  const end = begin + seconds * 1000;
  let last;
  while (Date.now() < end) {
    try {
      const value = await attempt();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    await sleep(Math.min(Math.max(20, (Date.now() - begin) / 10), 200));
  }
  throw new Error(`not within ${seconds} s: ${what}`, { cause: last });
}
