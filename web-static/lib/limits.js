// Limits that hints and fields name, as the service has them: tests/web/people/account.test.mjs holds them against its description.
export const passwordLength = { least: 10, most: 128 };
export const nameLength = 60;
export const botNameLength = 54;
export const guestNameLength = 52;
export const emailLength = 254;
export const labelLength = 60;
export const tokenDays = { least: 1, most: 366, usual: 90 };
export const botsMost = 10;
export const webhooksMost = 5;
