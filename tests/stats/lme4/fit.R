# Fits the models of models.json to their data with lme4 and lmerTest, and writes NAME.json for each.
#
#   apt-get install r-base-core r-cran-lme4 r-cran-lmertest r-cran-jsonlite
#   Rscript tests/lme4/fit.R
suppressMessages({
  library(lme4)
  library(lmerTest)
  library(jsonlite)
})

script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- dirname(normalizePath(script))
control <- lmerControl(
  optimizer = "nloptwrap", check.conv.singular = "ignore",
  optCtrl = list(algorithm = "NLOPT_LN_BOBYQA", xtol_rel = 0, xtol_abs = 1e-10, ftol_rel = 0, ftol_abs = 1e-12,
                 maxeval = 100000)
)

fit_one <- function(name, model) {
  data <- read.csv(file.path(here, paste0(name, ".csv")), stringsAsFactors = TRUE)
  nested <- sapply(seq_along(model$groups), function(i) paste(model$groups[1:i], collapse = ":"))
  random <- sapply(seq_along(nested), function(i) {
    slope <- model$slopes[[model$groups[i]]]
    sprintf("(%s | %s)", if (is.null(slope)) "1" else paste(slope, collapse = " + "), nested[i])
  })
  formula <- paste("y ~", paste(c("1", model$fixed, random), collapse = " + "))
  reml <- lmer(as.formula(formula), data, REML = TRUE, control = control)
  ml <- lmer(as.formula(formula), data, REML = FALSE, control = control)
  components <- as.data.frame(VarCorr(reml))
  tests <- lapply(setNames(nm = as.list(model$fixed)), function(term) {
    smaller <- update(ml, as.formula(paste(". ~ . -", term)))
    row <- anova(reml)[term, ]
    list(
      f = row[["F value"]], df = row[["NumDF"]], denominator = row[["DenDF"]], p = row[["Pr(>F)"]],
      chisq = 2 * (as.numeric(logLik(ml)) - as.numeric(logLik(smaller))),
      chisq_p = suppressMessages(anova(ml, smaller))[["Pr(>Chisq)"]][2]
    )
  })
  names(tests) <- unlist(model$fixed)
  summary <- coef(summary(reml))
  list(
    formula = formula, rows = nrow(data),
    terms = rownames(summary),
    coefficients = unname(fixef(reml)),
    errors = unname(summary[, "Std. Error"]),
    df = unname(summary[, "df"]),
    p = unname(summary[, "Pr(>|t|)"]),
    components = components[, c("grp", "var1", "var2", "vcov", "sdcor")],
    reml = as.numeric(logLik(reml)),
    ml = as.numeric(logLik(ml)),
    ml_coefficients = unname(fixef(ml)),
    ml_components = as.data.frame(VarCorr(ml))$vcov,
    singular = isSingular(reml),
    tests = tests,
    versions = list(
      R = paste(R.version$major, R.version$minor, sep = "."),
      lme4 = as.character(packageVersion("lme4")), lmerTest = as.character(packageVersion("lmerTest"))
    )
  )
}

models <- fromJSON(file.path(here, "models.json"), simplifyVector = TRUE)
for (name in names(models)) {
  found <- fit_one(name, models[[name]])
  write(toJSON(found, digits = 12, auto_unbox = TRUE, pretty = TRUE, null = "null", na = "null"),
        file.path(here, paste0(name, ".json")))
  cat(name, found$formula, if (found$singular) "singular" else "", "\n")
}
